import type { KeyObject } from 'node:crypto';
import { compactVerify } from 'jose';
import { decodeJwt } from '../../../keys/index.ts';
import type { OAuthError } from '../../../protocol/index.ts';
import type { AssertionAlgorithm } from './assertion-algorithms.ts';

/** A JWT by which somebody says who they are, or whom they speak for (RFC 7523), as it was presented: nothing verified yet. */
export interface SignedAssertion<A extends AssertionAlgorithm = AssertionAlgorithm> {
  alg: A;
  kid?: string;
  claims: Readonly<Record<string, unknown>>;
  text: string;
}

/** Makes the error of whoever reads an assertion; the reason is for the log only. */
export type Refuse = (reason: string) => OAuthError;

/** Seconds by which the clock of whoever made it may be wrong. */
const skew = 30;
/** Seconds an assertion may live: as long must its id be remembered. */
const longestLife = 3_600;

/**
 * Reads an assertion without trusting it. Access tokens, ID tokens of other kinds, logout tokens and proofs all name another
 * type, so that none of them passes for one.
 * @throws what `refuse` makes
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

/** What a JWT says it is (RFC 7515 §4.1.9): in lower case, without what may be left out. */
export const typeOf = ({ typ }: Readonly<Record<string, unknown>>): unknown =>
  typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;

/**
 * Checks what doesn't depend on whose assertion it is (RFC 7523 §3): for this server alone, not too old, not too long
 * lived, with an id.
 * @param audiences how this server may be called; a single one must be the `aud` as a string (FAPI 2.0 Security Profile §5.3.2.1 (8))
 * @returns the id, and the milliseconds for which the assertion could still be presented
 * @throws what `refuse` makes
 */
export function checkAssertionClaims(
  { claims }: Pick<SignedAssertion, 'claims'>,
  audiences: readonly string[] | string,
  nowMs: number,
  refuse: Refuse,
): { jti: string; livesMs: number } {
  const { aud, jti } = claims;
  // One audience only: an assertion meant for others too could be replayed by them.
  const audience = Array.isArray(aud) && aud.length === 1 ? (aud[0] as unknown) : aud;
  const isMeant =
    typeof audiences === 'string'
      ? aud === audiences
      : typeof audience === 'string' && audiences.includes(audience);
  if (!isMeant) throw refuse('for another server');
  const exp = checkTimes(claims, nowMs, refuse);
  if (exp === undefined) throw refuse('expired');
  if (!isText(jti)) throw refuse('no jti');
  return { jti, livesMs: (exp + skew) * 1000 - nowMs };
}

/**
 * Checks from when and until when a JWT of somebody else counts, as far as it says so (RFC 7519 §4.1.4 to §4.1.6).
 * @returns its `exp`
 * @throws what `refuse` makes
 */
export function checkTimes(
  { exp, nbf, iat }: SignedAssertion['claims'],
  nowMs: number,
  refuse: Refuse,
): number | undefined {
  const now = nowMs / 1000;
  if (exp !== undefined && (!isTime(exp) || exp + skew <= now)) throw refuse('expired');
  if (exp !== undefined && exp > now + longestLife + skew) throw refuse('lives too long');
  for (const since of [nbf, iat]) {
    if (since !== undefined && !(isTime(since) && since <= now + skew)) throw refuse('not valid yet');
  }
  return exp;
}

/** Whether one of the keys made the signature. */
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

/** A claim that names somebody or something. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 512 && !value.includes('\0');

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
