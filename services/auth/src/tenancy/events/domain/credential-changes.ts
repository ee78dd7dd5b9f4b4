import { currentActor } from '../../../platform/index.ts';
import type { NewFact } from './facts.ts';
import { initiatingEntity } from './initiating-entity.ts';

/** Types of credentials as in CAEP §3.2, which has none for recovery codes. */
export type CredentialType = 'password' | 'app' | 'fido2-platform' | 'fido2-roaming' | 'recovery-codes';

export interface CredentialChange {
  credentialType: CredentialType;
  changeType: 'create' | 'revoke' | 'update' | 'delete';
  friendlyName?: string;
}

export function credentialFact(subjectId: string, change: CredentialChange): NewFact {
  const actor = currentActor(subjectId);
  return {
    type: 'credential.changed',
    subject: { kind: 'user', id: subjectId },
    data: { ...change, initiatingEntity: initiatingEntity(actor, subjectId) },
    actor,
  };
}

/**
 * Returns the change of a passkey. Its type depends on whether the passkey is bound to its device (WebAuthn §5.8.4).
 */
export const passkeyChange = (
  changeType: CredentialChange['changeType'],
  { transports, name }: { transports: readonly string[]; name: string },
): CredentialChange => ({
  credentialType: transports.includes('internal') ? 'fido2-platform' : 'fido2-roaming',
  changeType,
  friendlyName: name,
});
