import { AccessError, type RequiredAuthentication } from '../errors.ts';
import type { Principal } from '../tokens/principal.ts';

/**
 * Insists on a stronger or fresher sign-in than any: the client is told which, and comes back with a token from a new
 * authorization request with those `acr_values` and `max_age`.
 * @param now milliseconds since the epoch
 * @throws AccessError insufficient_user_authentication (RFC 9470 section 3); a token without a person has no sign-in at all
 */
export function requireAuthentication(
  principal: Pick<Principal, 'acr' | 'authTime'>,
  required: RequiredAuthentication,
  now: number = Date.now(),
): void {
  const { acrValues, maxAge } = required;
  const strong =
    acrValues === undefined || (principal.acr !== undefined && acrValues.includes(principal.acr));
  const fresh = maxAge === undefined || now / 1000 - (principal.authTime ?? 0) <= maxAge;
  if (strong && fresh) return;
  throw new AccessError(
    'insufficient_user_authentication',
    strong
      ? 'The sign-in is too long ago for this.'
      : 'This needs a stronger sign-in than the access token is from.',
    undefined,
    required,
  );
}
