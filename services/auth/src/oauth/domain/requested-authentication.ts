import { type Acr, acrValues, satisfiesAcr } from '../../sessions/index.ts';
import type { AuthorizationRequest } from './authorize-request.ts';

/** The classes of authentication a request asks for, most wanted first, and whether less will not do. */
export interface RequestedAuthentication {
  values: string[];
  essential: boolean;
}

/** From the claims parameter, which may insist, or acr_values, which is a wish (OpenID Connect Core §3.1.2.1, §5.5.1.1). */
export function requestedAuthentication(
  request: Pick<AuthorizationRequest, 'acrValues' | 'claims'>,
): RequestedAuthentication | undefined {
  if (request.claims?.acr) return request.claims.acr;
  return request.acrValues && { values: request.acrValues, essential: false };
}

const isKnown = (value: string): value is Acr => (acrValues as readonly string[]).includes(value);

/** Whether a session's class is one of those asked for, or stronger than one of them. */
export const isStrongEnough = (acr: string | null, wanted: RequestedAuthentication): boolean =>
  wanted.values.some((value) => isKnown(value) && satisfiesAcr(acr, value));

/** Whether any sign-in could reach what is asked for. */
export const isReachable = (wanted: RequestedAuthentication): boolean => wanted.values.some(isKnown);

/**
 * The class a token names: the one reached, unless the client insisted on others that it includes; then the strongest
 * of those, because a client compares it with what it asked for (OpenID Connect Core §5.5.1.1).
 */
export function namedAcr(acr: string | null, wanted: RequestedAuthentication | undefined): string | null {
  if (acr === null || !wanted?.essential || wanted.values.includes(acr)) return acr;
  const included = acrValues.filter((value) => wanted.values.includes(value) && satisfiesAcr(acr, value));
  return included.at(-1) ?? acr;
}
