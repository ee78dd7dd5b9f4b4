import type { TenantPolicy } from '@ostiary/events';
import { satisfiesAcr } from '../../sessions/index.ts';

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
 * Those of a person's roles that count after this sign-in: where the tenant requires a second factor for them, none after one of a
 * single factor, nor where there was no sign-in.
 * @param policy undefined when the tenant has none that is known: then the stricter one holds
 * @param held `acr`: the class of the sign-in (OpenID Connect Core section 2) behind what is about to be issued
 */
export function countingRoles(
  policy: RolePolicy | undefined,
  held: { roles: readonly string[]; acr: string | null | undefined },
): CountingRoles {
  const count = policy?.requireSecondFactorForAdministrators === false || reachedTwoFactors(held.acr);
  return (count ? [...held.roles] : []) as readonly string[] as CountingRoles;
}

/** What would count if the person signed in with two factors. */
export const rolesAtBest = (roles: readonly string[]): CountingRoles =>
  roles as readonly string[] as CountingRoles;
