import type { AuthorizationRequest } from '../../access/index.ts';
import { type Acr, acrValues, satisfiesAcr } from '../../platform/index.ts';

/** Requested authentication classes in order of preference. `essential`: other classes are not sufficient. */
export interface RequestedAuthentication {
  values: string[];
  essential: boolean;
}

/**
 * Returns the requested classes: of the claims parameter, which may be essential, or acr_values, which are voluntary
 * (OpenID Connect Core §3.1.2.1, §5.5.1.1).
 */
export function requestedAuthentication(request: AuthorizationRequest): RequestedAuthentication | undefined {
  if (request.claims?.acr) return request.claims.acr;
  return request.acrValues && { values: request.acrValues, essential: false };
}

const isKnown = (value: string): value is Acr => (acrValues as readonly string[]).includes(value);

/** Reports whether the class of a session is a requested one or stronger. */
export const isStrongEnough = (acr: string | null, wanted: RequestedAuthentication): boolean =>
  wanted.values.some((value) => isKnown(value) && satisfiesAcr(acr, value));

/** Reports whether a sign-in can reach a requested class. */
export const isReachable = (wanted: RequestedAuthentication): boolean => wanted.values.some(isKnown);

/**
 * Returns the acr of a token: the reached class. If the client requires other classes that it includes, the strongest
 * of those, because the client compares it with its request (OpenID Connect Core §5.5.1.1).
 */
export function namedAcr(acr: string | null, wanted: RequestedAuthentication | undefined): string | null {
  if (acr === null || !wanted?.essential || wanted.values.includes(acr)) return acr;
  const included = acrValues.filter((value) => wanted.values.includes(value) && satisfiesAcr(acr, value));
  return included.at(-1) ?? acr;
}
