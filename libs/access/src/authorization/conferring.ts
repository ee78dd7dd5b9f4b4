import { insufficientScope, type RequiredAuthentication } from '@ostiary/verifier/core';
import type { Principal } from '../tokens/principal.ts';
import { apiScopes } from './scopes.ts';

/** Maximum age of the sign-in of a user who grants a right: 15 minutes. See `requireRecentSignIn`. */
export const recentSignIn: Readonly<RequiredAuthentication & { maxAge: number }> = { maxAge: 900 };

/**
 * The rule for granting: a caller cannot grant more than it holds now. Roles, apps, keys, identity sources
 * and identifiers are compared by their scopes; OpenID Connect scopes concern only the user and are not
 * rights in the tenant.
 * @returns the first of these scopes that the caller lacks
 */
export const beyondHeld = (
  { scopes: held }: Pick<Principal, 'scopes'>,
  conferred: Iterable<string>,
): string | undefined => {
  for (const scope of conferred) if (Object.hasOwn(apiScopes, scope) && !held.has(scope)) return scope;
  return undefined;
};

/** @throws AccessError insufficient_scope with the missing scopes */
export function requireHeld(principal: Pick<Principal, 'scopes'>, conferred: Iterable<string>): void {
  const lacking = beyondHeld(principal, conferred);
  if (lacking !== undefined) throw insufficientScope([lacking]);
}
