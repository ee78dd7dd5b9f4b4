import {
  type RequiredAuthentication,
  requireAuthentication,
  requireOriginalAuthentication,
} from '@ostiary/verifier/core';
import type { Principal } from '../tokens/principal.ts';
import { recentSignIn } from './conferring.ts';
import { apiScopes } from './scopes.ts';

/** Classes of a sign-in with two factors (`acr`, OpenID Connect Core §2), weakest first. */
export const twoFactorAcrValues = ['urn:ostiary:acr:2fa', 'phr'] as const;

/** Policy of a tenant for the sign-in of administrators. */
export interface SignInPolicy {
  readonly requireSecondFactorForAdministrators: boolean;
}

/** Facts for the decision whether a sign-in is sufficient. */
export interface SignInTerms {
  /** Policy of the tenant; undefined if unknown, which applies the stricter one. */
  policy: SignInPolicy | undefined;
  /**
   * Whether the user has a second factor, which the sign-in must then include. Only the authorization server has
   * this information; elsewhere a sign-in from before the setup of the factor is accepted while it is recent.
   */
  hasSecondFactor?: boolean;
  /** Milliseconds since the epoch. */
  now?: number;
}

type Person = Pick<Principal, 'kind' | 'home' | 'scopes' | 'acr' | 'authTime' | 'actors' | 'ancestors'>;

const hasTwoFactors = ({ acr }: Person): boolean => twoFactorAcrValues.some((value) => value === acr);

/** The platform's operator is under no tenant's policy; programs have no sign-in. */
const isUnder = ({ kind, home }: Person, policy: SignInPolicy | undefined): boolean =>
  kind === 'user' && home === undefined && policy?.requireSecondFactorForAdministrators !== false;

/** Scopes of the API are in a user's token only through a role. */
const bringsRole = ({ scopes }: Person): boolean =>
  [...scopes].some((scope) => Object.hasOwn(apiScopes, scope));

/**
 * Requires two factors for a user's token with a role, if the tenant requires them of administrators.
 * Independent of decisions at issue, when the tenant may not have required them yet.
 * @throws AccessError insufficient_user_authentication (RFC 9470 section 3)
 */
export function requireSecondFactorOfAdministrator(
  principal: Person,
  policy: SignInPolicy | undefined,
): void {
  if (isUnder(principal, policy) && bringsRole(principal))
    requireOriginalAuthentication(principal, { acrValues: twoFactorAcrValues });
}

/**
 * Requires a recent sign-in of a user who grants a right or a credential with one: within 15 minutes, and
 * with two factors if the user has two, or is an administrator of a tenant that requires them. A token from a
 * token exchange is never sufficient. Clients that act for themselves have no sign-in.
 * @throws AccessError insufficient_user_authentication, with the accepted classes and age (RFC 9470 section
 * 3)
 */
export function requireRecentSignIn(principal: Person, terms: SignInTerms): void {
  if (principal.kind !== 'user') return;
  const twoFactors =
    terms.hasSecondFactor === true || (isUnder(principal, terms.policy) && bringsRole(principal));
  requireAuthentication(
    principal,
    { ...recentSignIn, ...(twoFactors && { acrValues: twoFactorAcrValues }) },
    terms.now,
  );
}

/**
 * Returns the sign-in that may provide the scopes that a user's token lacks: if the tenant requires two
 * factors of administrators, a sign-in with one provides no scopes of roles. Whether the user has a role is
 * unknown here.
 */
export const signInForRoles = (
  principal: Person & Pick<Principal, 'apiToken'>,
  policy: SignInPolicy | undefined,
): RequiredAuthentication | undefined =>
  isUnder(principal, policy) && principal.apiToken === undefined && !hasTwoFactors(principal)
    ? { ...recentSignIn, acrValues: twoFactorAcrValues }
    : undefined;
