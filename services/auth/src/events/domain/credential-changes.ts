import { currentActor } from '../../audit/index.ts';
import type { NewFact } from './facts.ts';
import { initiatingEntity } from './initiating-entity.ts';

/** Types of credentials by their names in CAEP §3.2; recovery codes have none there. */
export type CredentialType = 'password' | 'app' | 'fido2-platform' | 'fido2-roaming' | 'recovery-codes';

export interface CredentialChange {
  credentialType: CredentialType;
  changeType: 'create' | 'revoke' | 'update' | 'delete';
  /** What its owner calls it. */
  friendlyName?: string;
}

/** What a user signs in with has changed. */
export function credentialFact(subjectId: string, change: CredentialChange): NewFact {
  const actor = currentActor(subjectId);
  return {
    type: 'credential.changed',
    subject: { kind: 'user', id: subjectId },
    data: { ...change, initiatingEntity: initiatingEntity(actor, subjectId) },
    actor,
  };
}

/** The change of a passkey: one that is part of the device it was made on, or one that is carried along (WebAuthn §5.8.4). */
export const passkeyChange = (
  changeType: CredentialChange['changeType'],
  { transports, name }: { transports: readonly string[]; name: string },
): CredentialChange => ({
  credentialType: transports.includes('internal') ? 'fido2-platform' : 'fido2-roaming',
  changeType,
  friendlyName: name,
});
