import type { RequiredAuthentication } from '../errors.ts';
import type { Principal } from '../tokens/principal.ts';
import { recentSignIn } from './conferring.ts';
import { apiScopes } from './scopes.ts';
import { requireAuthentication, requireOriginalAuthentication } from './step-up.ts';

/** Classes of a sign-in with two factors (`acr`, OpenID Connect Core §2), weakest first. */
export const twoFactorAcrValues = ['urn:ostiary:acr:2fa', 'phr'] as const;

/** The part of a tenant's policy that says how administrators must have signed in. */
export interface SignInPolicy {
  readonly requireSecondFactorForAdministrators: boolean;
}

/** What a service knows of how a person must have signed in. */
export interface SignInTerms {
  /** What holds in their tenant; undefined when that isn't known: then the stricter holds. */
  policy: SignInPolicy | undefined;
  /** That they have a second factor, which then must have been used. Only the authorization server knows. */
  hasSecondFactor?: boolean;
  /** Milliseconds since the epoch. */
  now?: number;
}

type Person = Pick<Principal, 'kind' | 'home' | 'scopes' | 'acr' | 'authTime' | 'actors' | 'ancestors'>;

const hasTwoFactors = ({ acr }: Person): boolean => twoFactorAcrValues.some((value) => value === acr);

/** The platform's operator has no policy of a tenant; programs have no sign-in. */
const isUnder = ({ kind, home }: Person, policy: SignInPolicy | undefined): boolean =>
  kind === 'user' && home === undefined && policy?.requireSecondFactorForAdministrators !== false;

/** Scopes of the API reach a person's token through a role, and no other way. */
const bringsRole = ({ scopes }: Person): boolean =>
  [...scopes].some((scope) => Object.hasOwn(apiScopes, scope));

/**
 * What a person's token needs that brings a role, where the tenant requires two factors of administrators: whatever else was
 * decided when it was issued, possibly before the tenant required that.
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
 * How a person must have signed in who gives somebody a right, or a credential that carries one: within the last quarter of an hour;
 * with two factors, if they have two, or their tenant requires that of administrators and they are one. A token from a token exchange
 * is never enough. Clients that act for themselves have no sign-in to be recent.
 * @throws AccessError insufficient_user_authentication, with the classes and the age that will do (RFC 9470 section 3)
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
 * The sign-in that may bring the scopes that a person's token lacks: where the tenant requires two factors of administrators, the
 * roles of whoever signed in with one bring none. Whether they have a role isn't known here; they find out by signing in.
 */
export const signInForRoles = (
  principal: Person & Pick<Principal, 'apiToken'>,
  policy: SignInPolicy | undefined,
): RequiredAuthentication | undefined =>
  isUnder(principal, policy) && principal.apiToken === undefined && !hasTwoFactors(principal)
    ? { ...recentSignIn, acrValues: twoFactorAcrValues }
    : undefined;
