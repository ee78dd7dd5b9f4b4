import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { EventPublisher, NewRevocation, RevocationFeed } from '../../../tenancy/index.ts';
import type { Grants } from '../../grants/domain/grant-revocation.ts';

/**
 * Revokes grants that were issued on assertions of an issuer, in the caller's transaction. @returns the revocations to
 * publish after the commit
 */
export async function endIssuedOnWord(
  o: {
    grants: Grants;
    revocations: RevocationFeed;
    eventPublisher: EventPublisher;
  },
  tx: Transaction,
  tenant: string,
  grants: readonly { id: string; subjectId: string; clientId: string }[],
  reason: string,
): Promise<Revocation[]> {
  const revoked: NewRevocation[] = [];
  const ended: (typeof grants)[number][] = [];
  for (const grant of grants) {
    const entries = await o.grants.revoke(tx, tenant, grant.id);
    revoked.push(...entries);
    if (entries.length > 0) ended.push(grant);
  }
  await o.eventPublisher.grantsEnded(tx, tenant, ended, reason);
  return o.revocations.append(tx, revoked, reason);
}
