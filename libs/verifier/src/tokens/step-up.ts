import { AccessError, type RequiredAuthentication } from '../rejections/access-error.ts';
import { isExchanged } from './delegation.ts';
import type { VerifiedToken } from './verified-token.ts';

/**
 * Requires a stronger or more recent sign-in: the client gets the `acr_values` and `max_age` for a new
 * authorization request. A token from a token exchange (RFC 8693) never satisfies it, because the user signed
 * in to the client of the subject token, not to the client of this one.
 * @param now milliseconds since the epoch
 * @throws AccessError insufficient_user_authentication (RFC 9470 section 3), also for a token without a user
 */
export function requireAuthentication(
  principal: Pick<VerifiedToken, 'acr' | 'authTime' | 'actors' | 'ancestors'>,
  required: RequiredAuthentication,
  now: number = Date.now(),
): void {
  if (isExchanged(principal))
    throw unauthenticated('A token from a token exchange does not count as a sign-in of the user.', required);
  if (!isStrong(principal, required))
    throw unauthenticated('This requires a stronger sign-in than that of the access token.', required);
  const { maxAge } = required;
  if (maxAge !== undefined && now / 1000 - (principal.authTime ?? 0) > maxAge)
    throw unauthenticated('This requires a more recent sign-in.', required);
}

/**
 * Requires the class of the sign-in from which a token descends, also through token exchanges.
 * @throws AccessError insufficient_user_authentication (RFC 9470 section 3)
 */
export function requireOriginalAuthentication(
  principal: Pick<VerifiedToken, 'acr'>,
  required: Pick<RequiredAuthentication, 'acrValues'>,
): void {
  if (!isStrong(principal, required))
    throw unauthenticated('This requires a stronger sign-in than that of the access token.', required);
}

const isStrong = (
  { acr }: Pick<VerifiedToken, 'acr'>,
  { acrValues }: Pick<RequiredAuthentication, 'acrValues'>,
): boolean => acrValues === undefined || (acr !== undefined && acrValues.includes(acr));

const unauthenticated = (message: string, required: RequiredAuthentication): AccessError =>
  new AccessError('insufficient_user_authentication', message, undefined, required);
