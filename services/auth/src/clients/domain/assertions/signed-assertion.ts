import type { KeyObject } from 'node:crypto';
import { compactVerify } from 'jose';
import type { OAuthError } from '../../../platform/index.ts';
import { decodeJwt } from '../../../tenancy/index.ts';
import type { AssertionAlgorithm } from './assertion-algorithms.ts';

/** A presented JWT assertion of a client or issuer (RFC 7523), parsed but not verified. */
export interface SignedAssertion<A extends AssertionAlgorithm = AssertionAlgorithm> {
  alg: A;
  kid?: string;
  claims: Readonly<Record<string, unknown>>;
  text: string;
}

/** Creates the caller's error; the reason is only logged. */
export type Refuse = (reason: string) => OAuthError;

/** Tolerated clock difference to the signer in seconds. */
const skew = 30;
/** Maximum lifetime of an assertion in seconds, for which its id must be stored. */
const maxLifetime = 3_600;

/**
 * Parses an assertion without verifying it. Access tokens, other ID tokens, logout tokens and proofs have another type
 * and are rejected.
 * @throws the error of `refuse`
 */
export function readSignedAssertion<A extends AssertionAlgorithm>(
  text: string,
  o: { types: ReadonlySet<unknown>; algorithms: readonly A[]; refuse: Refuse },
): SignedAssertion<A> {
  const decoded = decodeJwt(text);
  if (!decoded) throw o.refuse('malformed');
  const { header, payload } = decoded;
  if (!o.types.has(typeOf(header)) || header.crit !== undefined || header.b64 !== undefined) {
    throw o.refuse('another type');
  }
  const alg = o.algorithms.find((known) => known === header.alg);
  if (alg === undefined) throw o.refuse('another algorithm');
  if (header.kid !== undefined && typeof header.kid !== 'string') throw o.refuse('malformed kid');
  return { alg, ...(header.kid === undefined ? {} : { kid: header.kid }), claims: payload, text };
}

/** Returns the `typ` of a JWT (RFC 7515 §4.1.9) in lower case, without the optional `application/`. */
export const typeOf = ({ typ }: Readonly<Record<string, unknown>>): unknown =>
  typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;

/**
 * Checks the claims that do not depend on the signer (RFC 7523 §3): audience, times, lifetime and id.
 * @param audiences identifiers of this server; a single string must equal `aud` (FAPI 2.0 Security Profile §5.3.2.1
 * (8))
 * @returns the id and the remaining lifetime in milliseconds
 * @throws the error of `refuse`
 */
export function checkAssertionClaims(
  { claims }: SignedAssertion,
  audiences: readonly string[] | string,
  nowMs: number,
  refuse: Refuse,
): { jti: string; livesMs: number } {
  const { aud, jti } = claims;
  // One audience only: another recipient could replay the assertion here.
  const audience = Array.isArray(aud) && aud.length === 1 ? (aud[0] as unknown) : aud;
  const isMeant =
    typeof audiences === 'string'
      ? aud === audiences
      : typeof audience === 'string' && audiences.includes(audience);
  if (!isMeant) throw refuse('aud is not this server');
  const exp = checkTimes(claims, nowMs, refuse);
  if (exp === undefined) throw refuse('expired');
  if (!isText(jti)) throw refuse('no jti');
  return { jti, livesMs: (exp + skew) * 1000 - nowMs };
}

/**
 * Checks the optional times of a JWT (RFC 7519 §4.1.4 to §4.1.6).
 * @returns its `exp`
 * @throws the error of `refuse`
 */
export function checkTimes(
  { exp, nbf, iat }: SignedAssertion['claims'],
  nowMs: number,
  refuse: Refuse,
): number | undefined {
  const now = nowMs / 1000;
  if (exp !== undefined && (!isTime(exp) || exp + skew <= now)) throw refuse('expired');
  if (exp !== undefined && exp > now + maxLifetime + skew) throw refuse('exp is too far in the future');
  for (const since of [nbf, iat]) {
    if (since !== undefined && !(isTime(since) && since <= now + skew)) throw refuse('not valid yet');
  }
  return exp;
}

/** Reports whether one of the keys made the signature. */
export async function isSignedByOneOf(
  assertion: SignedAssertion,
  keys: readonly (KeyObject | Uint8Array)[],
): Promise<boolean> {
  for (const key of keys) {
    const verified = await compactVerify(assertion.text, key, { algorithms: [assertion.alg] }).catch(
      () => undefined,
    );
    if (verified) return true;
  }
  return false;
}

/** Reports whether a claim is a usable identifier. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 512 && !value.includes('\0');

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
