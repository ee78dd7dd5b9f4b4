import type { Actor } from '@ostiary/events';
import type { Transaction, Transactions } from '@ostiary/service';
import type { Claim, SecurityLog } from '../../../platform/index.ts';
import type { EventPublisher, NewRevocation, RevocationFeed } from '../../../tenancy/index.ts';
import type { Grants } from './grant-revocation.ts';

export interface GrantEndingPorts {
  grants: Grants;
  securityLog: SecurityLog;
  eventPublisher: EventPublisher;
}

/** Ends a grant with all its tokens, and records the actor. The claim is for the grant's user. */
export async function endGrant(
  ports: GrantEndingPorts & {
    database: Transactions;
    revocations: RevocationFeed;
  },
  tenant: string,
  grantId: string,
  { claim, ...end }: { reason: string; actor?: Actor; claim?: Claim | undefined },
): Promise<boolean> {
  const entries = await ports.database.transaction(async (tx) => {
    const owner = claim && (await ports.grants.ownerOf(tx, tenant, grantId));
    const revoked = await endGrantIn(ports, tx, tenant, grantId, end);
    if (revoked.length === 0) return [];
    if (owner) await claim?.(tx, tenant, owner.subjectId);
    return ports.revocations.append(tx, revoked, end.reason);
  });
  await ports.revocations.publish(entries);
  return entries.length > 0;
}

/** Ends a grant in the caller's transaction. The caller appends and publishes the returned entries. */
export async function endGrantIn(
  ports: GrantEndingPorts,
  tx: Transaction,
  tenant: string,
  grantId: string,
  { reason, actor }: { reason: string; actor?: Actor },
): Promise<NewRevocation[]> {
  const owner = await ports.grants.ownerOf(tx, tenant, grantId);
  const revoked = await ports.grants.revoke(tx, tenant, grantId);
  if (owner && revoked.length > 0) {
    await ports.securityLog.record(tx, tenant, {
      action: 'grant.revoked',
      resourceType: 'Grant',
      resourceId: grantId,
      subjectId: owner.subjectId,
      changes: { clientId: { before: owner.clientId }, reason: { after: reason } },
      ...(actor && { actor }),
    });
    await ports.eventPublisher.grantsEnded(tx, tenant, [{ ...owner, actor }], reason);
  }
  return revoked;
}
