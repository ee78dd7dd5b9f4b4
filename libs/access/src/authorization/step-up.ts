import { AccessError, type RequiredAuthentication } from '../errors.ts';
import { isExchanged, type Principal } from '../tokens/principal.ts';

/**
 * Insists on a stronger or fresher sign-in than any: the client is told which, and comes back with a token from a new
 * authorization request with those `acr_values` and `max_age`. A token from a token exchange (RFC 8693) never satisfies it: the
 * user signed in to the client of the subject token, not to the client that holds this one.
 * @param now milliseconds since the epoch
 * @throws AccessError insufficient_user_authentication (RFC 9470 section 3); a token without a person has no sign-in at all
 */
export function requireAuthentication(
  principal: Pick<Principal, 'acr' | 'authTime' | 'actors' | 'ancestors'>,
  required: RequiredAuthentication,
  now: number = Date.now(),
): void {
  if (isExchanged(principal))
    throw unauthenticated('A token from a token exchange does not count as a sign-in of the user.', required);
  if (!isStrong(principal, required))
    throw unauthenticated('This needs a stronger sign-in than the access token is from.', required);
  const { maxAge } = required;
  if (maxAge !== undefined && now / 1000 - (principal.authTime ?? 0) > maxAge)
    throw unauthenticated('The sign-in is too long ago for this.', required);
}

/**
 * Insists on the class of the sign-in that a token descends from, also through token exchanges.
 * @throws AccessError insufficient_user_authentication (RFC 9470 section 3)
 */
export function requireOriginalAuthentication(
  principal: Pick<Principal, 'acr'>,
  required: Pick<RequiredAuthentication, 'acrValues'>,
): void {
  if (!isStrong(principal, required))
    throw unauthenticated('This needs a stronger sign-in than the access token is from.', required);
}

const isStrong = (
  { acr }: Pick<Principal, 'acr'>,
  { acrValues }: Pick<RequiredAuthentication, 'acrValues'>,
): boolean => acrValues === undefined || (acr !== undefined && acrValues.includes(acr));

const unauthenticated = (message: string, required: RequiredAuthentication): AccessError =>
  new AccessError('insufficient_user_authentication', message, undefined, required);
