import { apiScopes, type Revocation } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import { grantsOfRoleHolders } from '../../grants/data/grants.ts';
import { endGrantIn, type Grants } from '../../grants/index.ts';
import { reachedTwoFactors } from '../../roles/index.ts';
import { acrValues } from '../../sessions/index.ts';
import type { NewRevocation, RevocationFeed } from '../../subjects/index.ts';

/** The reason of an end that began with the tenant's new policy. */
const secondFactorRequired = 'second factor required';

/**
 * A tenant has come to require a second factor of those whose roles are to count: what an app has through a role after a sign-in
 * without one ends, in the caller's transaction, and the access tokens issued from it with it. Who signs in again has what their
 * sign-in allows; sessions, and what brings no role's scopes, go on.
 * @returns feed entries to publish after the commit
 */
export async function endWeakGrants(
  tx: Sql,
  tenant: string,
  o: { grants: Pick<Grants, 'revoke'>; revocations: Pick<RevocationFeed, 'append'>; actor?: Actor },
): Promise<Revocation[]> {
  const weak = await grantsOfRoleHolders(tx, tenant, {
    scopes: Object.keys(apiScopes),
    otherThan: acrValues.filter(reachedTwoFactors),
  });
  const ended: NewRevocation[] = [];
  for (const grantId of weak) {
    const end = { reason: secondFactorRequired, ...(o.actor && { actor: o.actor }) };
    ended.push(...(await endGrantIn(tx, o.grants, tenant, grantId, end)));
  }
  return ended.length === 0 ? [] : o.revocations.append(tx, ended, secondFactorRequired);
}
