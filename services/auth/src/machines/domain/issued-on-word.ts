import type { Revocation } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import { tellOfEndedGrants } from '../../events/data/index.ts';
import type { Grants } from '../../grants/index.ts';
import type { NewRevocation, RevocationFeed } from '../../subjects/index.ts';

/** Ends grants that were issued on an issuer's word, in the caller's transaction. @returns what to publish after the commit */
export async function endIssuedOnWord(
  o: { grants: Pick<Grants, 'revoke'>; revocations: Pick<RevocationFeed, 'append'> },
  tx: Sql,
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
  await tellOfEndedGrants(tx, tenant, ended, reason);
  return o.revocations.append(tx, revoked, reason);
}
