import type { TenantPolicy } from '@ostiary/events';
import { satisfiesAcr } from '../../../platform/index.ts';
import type { CarriedRoles } from '../../../tenancy/index.ts';

declare const counting: unique symbol;

/**
 * Roles that give their scopes, after the tenant's policy and the sign-in were checked. Functions that derive scopes
 * accept only this type, so that no path to a token can omit the check.
 */
export type CountingRoles = readonly string[] & { readonly [counting]: true };

/** The part of a tenant's policy that decides. */
export type RolePolicy = TenantPolicy;

/** Reports whether a sign-in reached two factors; false for an unknown sign-in. */
export const reachedTwoFactors = (acr: string | null | undefined): boolean =>
  satisfiesAcr(acr ?? null, 'urn:ostiary:acr:2fa');

/**
 * Returns the roles of a user that apply after this sign-in. Where the tenant requires a second factor for them, none
 * applies after a sign-in with a single factor, nor without a sign-in. A role that one of the used sign-in methods does
 * not carry does not apply.
 * @param policy undefined if the tenant has no known policy; then the stricter one applies
 * @param held `acr`: the class of the sign-in (OpenID Connect Core section 2); `carriedRoles`: roles that every used
 * sign-in method carries
 */
export function countingRoles(
  policy: RolePolicy | undefined,
  held: { roles: readonly string[]; acr: string | null | undefined; carriedRoles: CarriedRoles },
): CountingRoles {
  const count = policy?.requireSecondFactorForAdministrators === false || reachedTwoFactors(held.acr);
  return (count ? carriedOf(held) : []) as readonly string[] as CountingRoles;
}

/** Returns the roles that would apply if the user signed in with two factors, with the same methods. */
export const rolesAtBest = (held: { roles: readonly string[]; carriedRoles: CarriedRoles }): CountingRoles =>
  carriedOf(held) as readonly string[] as CountingRoles;

const carriedOf = ({ roles, carriedRoles }: { roles: readonly string[]; carriedRoles: CarriedRoles }) =>
  roles.filter((role) => carriedRoles?.includes(role) ?? true);
