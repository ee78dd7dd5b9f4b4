import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { invalidToken } from '../rejections/access-error.ts';
import { tokenOf, type VerifiedToken } from './verified-token.ts';

/** Signature algorithms of access tokens, all asymmetric. */
const algorithms = ['ES256', 'RS256', 'EdDSA', 'Ed25519'];

/** Seconds after `exp` for which a token is accepted, because the clocks of two machines differ. */
export const clockTolerance = 5;

/**
 * Milliseconds for which a verified signature is cached, and so the maximum time that a removed key stays
 * valid.
 */
export const maxRememberedMs = 600_000;

export interface SignatureExpectation {
  issuer: string;
  /** Wall clock in milliseconds. */
  now: number;
  /** Returns the issuer's keys. `refresh` requests a newer copy than the previous one. */
  keys(refresh: boolean): Promise<JWTVerifyGetKey>;
}

/**
 * Verifies an access token as RFC 9068 §4 requires, without its audience: signature, type, issuer, lifetime
 * and claims.
 * @throws AccessError invalid_token; errors of `keys`
 */
export async function verifySignature(
  text: string,
  { issuer, now, keys }: SignatureExpectation,
): Promise<{ token: VerifiedToken; claims: JWTPayload }> {
  for (const refresh of [false, true]) {
    const source = await keys(refresh);
    try {
      const { payload, protectedHeader } = await jwtVerify(text, source, {
        algorithms,
        typ: 'at+jwt',
        issuer,
        clockTolerance,
        currentDate: new Date(now),
        requiredClaims: ['exp', 'iat', 'sub', 'aud', 'jti', 'client_id'],
      });
      const token = tokenOf(payload);
      if (protectedHeader.kid !== undefined) token.keyId = protectedHeader.kid;
      return { token, claims: payload };
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey && !refresh) continue;
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalidToken();
      throw error;
    }
  }
  throw invalidToken();
}

/**
 * Returns the issuer that a token states, before its signature is verified.
 * @throws AccessError invalid_token for a text that is no JWT
 */
export function unverifiedIssuer(token: string): unknown {
  try {
    return decodeJwt(token).iss;
  } catch {
    throw invalidToken();
  }
}

/** Reports whether a token has expired. @param now wall clock in milliseconds */
export const isExpired = ({ expiresAt }: { expiresAt: number }, now: number): boolean =>
  expiresAt + clockTolerance <= now / 1000;
