import type { Sql } from '@ostiary/database';
import { currentActor } from '../../audit/index.ts';
import { appendFacts } from '../data/facts.ts';
import { initiatingEntity } from './initiating-entity.ts';

/** Types of credentials by their names in CAEP §3.2; recovery codes have none there. */
export type CredentialType = 'password' | 'app' | 'fido2-platform' | 'fido2-roaming' | 'recovery-codes';

export interface CredentialChange {
  credentialType: CredentialType;
  changeType: 'create' | 'revoke' | 'update' | 'delete';
  /** What its owner calls it. */
  friendlyName?: string;
}

/** Tells the outside, with the transaction that makes them, of changes of what a person signs in with. */
export async function tellOfCredentials(
  tx: Sql,
  tenant: string,
  subjectId: string,
  changes: readonly CredentialChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const actor = currentActor(subjectId);
  await appendFacts(
    tx,
    tenant,
    changes.map((change) => ({
      type: 'credential.changed',
      subject: { kind: 'user', id: subjectId },
      data: { ...change, initiatingEntity: initiatingEntity(actor, subjectId) },
      actor,
    })),
  );
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
