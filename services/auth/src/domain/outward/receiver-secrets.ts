import { deriveKey, open, seal } from '../secret.ts';

const contextOf = (tenant: string, receiverId: string): string => `receiver/${tenant}/${receiverId}`;

/** What a receiver's row keeps of its secrets: nobody reads them without ENCRYPTION_KEY, or in another row. */
export const sealSecrets = (
  encryptionKey: Buffer,
  receiver: { tenant: string; id: string },
  secrets: object,
): Buffer =>
  seal(
    deriveKey(encryptionKey, 'receiver'),
    Buffer.from(JSON.stringify(secrets)),
    contextOf(receiver.tenant, receiver.id),
  );

/** @throws when the row has none, or they are another's */
export function openSecrets<T extends object>(
  encryptionKey: Buffer,
  receiver: { tenant: string; id: string; secrets: Buffer | null },
): T {
  if (receiver.secrets === null) throw new Error('the receiver has no secrets');
  const text = open(
    deriveKey(encryptionKey, 'receiver'),
    receiver.secrets,
    contextOf(receiver.tenant, receiver.id),
  );
  return JSON.parse(text.toString()) as T;
}
