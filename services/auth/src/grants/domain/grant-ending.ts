import type { Claim, Database, Sql } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import { record } from '../../audit/data/security-log.ts';
import { tellOfEndedGrants } from '../../events/index.ts';
import type { NewRevocation, RevocationFeed } from '../../subjects/index.ts';
import { grantOwner } from '../data/grant-list.ts';
import type { Grants } from './grant-revocation.ts';

/** Ends a grant with everything that descends from it, and remembers who ended it. A claim is made for whose it was. */
export async function endGrant(
  o: {
    database: Pick<Database<unknown>, 'transaction'>;
    grants: Pick<Grants, 'revoke'>;
    revocations: Pick<RevocationFeed, 'append' | 'publish'>;
  },
  tenant: string,
  grantId: string,
  { claim, ...end }: { reason: string; actor?: Actor; claim?: Claim | undefined },
): Promise<boolean> {
  const entries = await o.database.transaction(async (tx) => {
    const owner = claim && (await grantOwner(tx, tenant, grantId));
    const revoked = await endGrantIn(tx, o.grants, tenant, grantId, end);
    if (revoked.length === 0) return [];
    if (owner) await claim?.(tx, tenant, owner.subjectId);
    return o.revocations.append(tx, revoked, end.reason);
  });
  await o.revocations.publish(entries);
  return entries.length > 0;
}

/** The same inside a transaction; append and publish what it returns. */
export async function endGrantIn(
  tx: Sql,
  grants: Pick<Grants, 'revoke'>,
  tenant: string,
  grantId: string,
  { reason, actor }: { reason: string; actor?: Actor },
): Promise<NewRevocation[]> {
  const owner = await grantOwner(tx, tenant, grantId);
  const revoked = await grants.revoke(tx, tenant, grantId);
  if (owner && revoked.length > 0) {
    await record(tx, tenant, {
      action: 'grant.revoked',
      resourceType: 'Grant',
      resourceId: grantId,
      subjectId: owner.subjectId,
      changes: { clientId: { before: owner.clientId }, reason: { after: reason } },
      ...(actor && { actor }),
    });
    await tellOfEndedGrants(tx, tenant, [{ ...owner, actor }], reason);
  }
  return revoked;
}
