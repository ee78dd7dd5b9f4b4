import type { RequiredAuthentication } from '../errors.ts';
import { insufficientScope } from '../errors.ts';
import type { Principal } from '../tokens/principal.ts';
import { apiScopes } from './scopes.ts';

/** How long ago a person may have signed in who gives somebody a right: a quarter of an hour. See `requireRecentSignIn`. */
export const recentSignIn: Readonly<RequiredAuthentication & { maxAge: number }> = { maxAge: 900 };

/**
 * The one rule about giving: nobody gives more than they hold at this moment. What a role, an app, a key, an identity source or
 * an identifier comes to is said in scopes; those about a person alone (OpenID Connect) are no right in the tenant.
 * @returns the first scope of these that the caller lacks
 */
export const beyondHeld = (
  { scopes: held }: Pick<Principal, 'scopes'>,
  conferred: Iterable<string>,
): string | undefined => {
  for (const scope of conferred) if (Object.hasOwn(apiScopes, scope) && !held.has(scope)) return scope;
  return undefined;
};

/** @throws AccessError insufficient_scope naming what the caller lacks of what is conferred */
export function requireHeld(principal: Pick<Principal, 'scopes'>, conferred: Iterable<string>): void {
  const lacking = beyondHeld(principal, conferred);
  if (lacking !== undefined) throw insufficientScope([lacking]);
}
