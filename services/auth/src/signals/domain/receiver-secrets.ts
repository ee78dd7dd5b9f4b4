import { type KeyRing, openBytes, sealBytes } from '@ostiary/service';

/** Context that binds encrypted secrets to one receiver. */
export const receiverContext = (tenant: string, receiverId: string): string =>
  `receiver/${tenant}/${receiverId}`;

/** Encrypts the secrets of a receiver's row. They can be decrypted only with ENCRYPTION_KEY and only in that row. */
export const sealSecrets = (
  keys: KeyRing,
  receiver: { tenant: string; id: string },
  secrets: object,
): Buffer =>
  sealBytes(keys, Buffer.from(JSON.stringify(secrets)), receiverContext(receiver.tenant, receiver.id));

/** @throws when the row has no secrets, or those of another receiver */
export function openSecrets<T extends object>(
  keys: KeyRing,
  receiver: { tenant: string; id: string; secrets: Buffer | null },
): T {
  if (receiver.secrets === null) throw new Error('the receiver has no secrets');
  const text = openBytes(keys, receiver.secrets, receiverContext(receiver.tenant, receiver.id));
  return JSON.parse(text.toString()) as T;
}
