import type { TenantPolicy } from '@ostiary/events';
import { satisfiesAcr } from '../../sessions/index.ts';
import type { CarriedRoles } from '../../subjects/index.ts';

declare const counting: unique symbol;

/**
 * Roles that bring their scopes: to come by them, the tenant's policy and the sign-in must have been asked. Whatever gives scopes
 * takes nothing else, so that no way to a token can forget to ask.
 */
export type CountingRoles = readonly string[] & { readonly [counting]: true };

/** The part of a tenant's policy that decides. */
export type RolePolicy = Pick<TenantPolicy, 'requireSecondFactorForAdministrators'>;

/** Whether a sign-in reached two factors. One that nobody knows anything of didn't. */
export const reachedTwoFactors = (acr: string | null | undefined): boolean =>
  satisfiesAcr(acr ?? null, 'urn:ostiary:acr:2fa');

/**
 * Returns the roles of a user that count after this sign-in. Where the tenant requires a second factor for them, none counts after a
 * sign-in with a single factor, nor without a sign-in. No role counts that a way in which was used does not carry.
 * @param policy undefined when the tenant has none that is known: then the stricter one holds
 * @param held `acr`: the class of the sign-in (OpenID Connect Core section 2) behind what is about to be issued; `carriedRoles`:
 * roles that every way in carries that was used for it
 */
export function countingRoles(
  policy: RolePolicy | undefined,
  held: { roles: readonly string[]; acr: string | null | undefined; carriedRoles: CarriedRoles },
): CountingRoles {
  const count = policy?.requireSecondFactorForAdministrators === false || reachedTwoFactors(held.acr);
  return (count ? carriedOf(held) : []) as readonly string[] as CountingRoles;
}

/** Returns what would count if the user signed in with two factors, in the same ways. */
export const rolesAtBest = (held: { roles: readonly string[]; carriedRoles: CarriedRoles }): CountingRoles =>
  carriedOf(held) as readonly string[] as CountingRoles;

const carriedOf = ({ roles, carriedRoles }: { roles: readonly string[]; carriedRoles: CarriedRoles }) =>
  roles.filter((role) => carriedRoles?.includes(role) ?? true);
