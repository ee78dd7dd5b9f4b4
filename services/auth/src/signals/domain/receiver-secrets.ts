import { type KeyRing, openBytes, sealBytes } from '@ostiary/service';

/** Where a receiver's secrets belong. */
export const receiverContext = (tenant: string, receiverId: string): string =>
  `receiver/${tenant}/${receiverId}`;

/** What a receiver's row keeps of its secrets: nobody reads them without ENCRYPTION_KEY, or in another row. */
export const sealSecrets = (
  keys: KeyRing,
  receiver: { tenant: string; id: string },
  secrets: object,
): Buffer =>
  sealBytes(keys, Buffer.from(JSON.stringify(secrets)), receiverContext(receiver.tenant, receiver.id));

/** @throws when the row has none, or they are another's */
export function openSecrets<T extends object>(
  keys: KeyRing,
  receiver: { tenant: string; id: string; secrets: Buffer | null },
): T {
  if (receiver.secrets === null) throw new Error('the receiver has no secrets');
  const text = openBytes(keys, receiver.secrets, receiverContext(receiver.tenant, receiver.id));
  return JSON.parse(text.toString()) as T;
}
