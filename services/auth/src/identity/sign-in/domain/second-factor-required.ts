import { apiScopes, type Revocation } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';
import { endGrantIn, type GrantEndingPorts, type Grants, reachedTwoFactors } from '../../../access/index.ts';
import { acrValues } from '../../../platform/index.ts';
import type { NewRevocation, RevocationFeed } from '../../../tenancy/index.ts';

/** Revocation reason after a change of the tenant's policy. */
const secondFactorRequired = 'second factor required';

/**
 * Revokes, in the caller's transaction, the grants of role holders whose sign-in had no second factor, with their
 * access tokens, after a tenant begins to require one for roles. A new sign-in gives access again. Sessions, and
 * grants without scopes of a role, are not revoked.
 * @returns revocations to publish after the commit
 */
export async function endWeakGrants(
  tx: Transaction,
  tenant: string,
  o: Omit<GrantEndingPorts, 'grants'> & {
    grants: Grants;
  } & { revocations: RevocationFeed; actor?: Actor },
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
