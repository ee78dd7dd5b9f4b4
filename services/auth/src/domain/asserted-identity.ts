import type { KeyObject } from 'node:crypto';
import { compactVerify } from 'jose';
import { privateKeyAlgorithms } from './assertion-algorithms.ts';
import { invalidGrant, type OAuthError } from './errors.ts';
import { decodeJwt } from './jwt.ts';

export type SigningAlgorithmOfOthers = (typeof privateKeyAlgorithms)[number];

/** An authorization grant assertion (RFC 7523 §2.1) as it was presented: read, nothing verified yet. */
export interface PresentedAssertion {
  issuer: string;
  subject: string;
  alg: SigningAlgorithmOfOthers;
  kid?: string;
  claims: Readonly<Record<string, unknown>>;
  text: string;
}

/** Everything that can be wrong with an assertion gets one answer: which of them it was only helps a forger. */
export const invalidAssertion = (reason: string): OAuthError =>
  invalidGrant(
    'The assertion is invalid, expired, already used, or not of an issuer that is trusted here.',
    reason,
  );

/** Seconds by which an issuer's clock may be wrong. */
const skew = 30;
/** Seconds an assertion may live: as long must its id be remembered. */
const longestLife = 3_600;
const types: ReadonlySet<unknown> = new Set([undefined, 'jwt']);

/**
 * Reads an assertion without trusting it. Access tokens, ID tokens of other kinds, logout tokens and proofs all name another
 * type, so that none of them passes for one.
 * @throws OAuthError invalid_grant
 */
export function readAssertion(text: string): PresentedAssertion {
  const decoded = decodeJwt(text);
  if (!decoded) throw invalidAssertion('malformed');
  const { header, payload } = decoded;
  const typ =
    typeof header.typ === 'string' ? header.typ.toLowerCase().replace(/^application\//, '') : header.typ;
  if (!types.has(typ) || header.crit !== undefined || header.b64 !== undefined) {
    throw invalidAssertion('another type');
  }
  const alg = privateKeyAlgorithms.find((known) => known === header.alg);
  if (alg === undefined) throw invalidAssertion('another algorithm');
  if (header.kid !== undefined && typeof header.kid !== 'string') throw invalidAssertion('malformed kid');
  const { iss, sub } = payload;
  if (!isText(iss) || !isText(sub)) throw invalidAssertion('no issuer or no subject');
  return {
    issuer: iss,
    subject: sub,
    alg,
    ...(header.kid === undefined ? {} : { kid: header.kid }),
    claims: payload,
    text,
  };
}

/**
 * Checks what doesn't depend on whose assertion it is (RFC 7523 §3): for this server alone, not too old, not too long
 * lived, with an id.
 * @returns the id, and the milliseconds for which the assertion could still be presented
 * @throws OAuthError invalid_grant
 */
export function checkAssertionClaims(
  { claims }: PresentedAssertion,
  audiences: readonly string[],
  nowMs: number,
): { jti: string; livesMs: number } {
  const now = nowMs / 1000;
  const { aud, exp, nbf, iat, jti } = claims;
  // One audience only: an assertion meant for others too could be replayed by them.
  const audience = Array.isArray(aud) && aud.length === 1 ? (aud[0] as unknown) : aud;
  if (typeof audience !== 'string' || !audiences.includes(audience))
    throw invalidAssertion('for another server');
  if (!isTime(exp) || exp + skew <= now) throw invalidAssertion('expired');
  if (exp > now + longestLife + skew) throw invalidAssertion('lives too long');
  for (const since of [nbf, iat]) {
    if (since !== undefined && !(isTime(since) && since <= now + skew))
      throw invalidAssertion('not valid yet');
  }
  if (!isText(jti)) throw invalidAssertion('no jti');
  return { jti, livesMs: (exp + skew) * 1000 - nowMs };
}

/** Whether one of the keys made the signature. */
export async function isSignedByOneOf(
  assertion: PresentedAssertion,
  keys: readonly KeyObject[],
): Promise<boolean> {
  for (const key of keys) {
    const verified = await compactVerify(assertion.text, key, { algorithms: [assertion.alg] }).catch(
      () => undefined,
    );
    if (verified) return true;
  }
  return false;
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 512 && !value.includes('\0');
