import { apiScopes, type Revocation } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';
import { endGrantIn, type GrantEndingPorts, type Grants } from '../../grants/index.ts';
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
  tx: Transaction,
  tenant: string,
  o: Omit<GrantEndingPorts, 'grants'> & {
    grants: Pick<Grants, 'revoke' | 'ownerOf' | 'grantsOfRoleHolders'>;
  } & { revocations: Pick<RevocationFeed, 'append'>; actor?: Actor },
): Promise<Revocation[]> {
  const weak = await o.grants.grantsOfRoleHolders(tx, tenant, {
    scopes: Object.keys(apiScopes),
    otherThan: acrValues.filter(reachedTwoFactors),
  });
  const ended: NewRevocation[] = [];
  for (const grantId of weak) {
    const end = { reason: secondFactorRequired, ...(o.actor && { actor: o.actor }) };
    ended.push(...(await endGrantIn(o, tx, tenant, grantId, end)));
  }
  return ended.length === 0 ? [] : o.revocations.append(tx, ended, secondFactorRequired);
}
