import { constants, createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { BoundedCache } from '../bounded-cache.ts';
import { dpopAlgorithms } from '../dpop-algorithms.ts';
import { contradictionOf } from './key-purpose.ts';

type ProofAlgorithm = (typeof dpopAlgorithms)[number];

/** Reason for rejecting a proof, with the codes of RFC 9449 sections 5 and 8. */
export class ProofError extends Error {
  readonly code: 'invalid_dpop_proof' | 'use_dpop_nonce';

  constructor(code: ProofError['code'], description: string) {
    super(description);
    this.name = 'ProofError';
    this.code = code;
  }
}

/** Values that a proof must match. */
export interface ProofExpectation {
  /** Method of the request, as sent. */
  method: string;
  /** Public URL of the request; query and fragment are ignored. */
  uri: string;
  /** Access token in the request; undefined at the token endpoint. */
  accessToken?: string;
  /** Unix seconds. */
  now: number;
  /** Maximum age in seconds, default 300 for servers that require a nonce, which limits the age. */
  maxAge?: number;
  /** Restricts the algorithms, default {@link dpopAlgorithms}. */
  isAllowed?: ((alg: string) => boolean) | undefined;
}

export interface Proof {
  /** JWK thumbprint of the key that signed it (RFC 7638, SHA-256). */
  jkt: string;
  jti: string;
  nonce: string | undefined;
}

const maxProofLength = 4_096;
const maxIdLength = 256;
/**
 * Maximum difference of `iat` from the clock in seconds. The nonce limits the age of a proof; `behind` is for
 * inaccurate clocks. FAPI 2.0 section 5.3.2.1 (13) requires servers to accept JWTs 10 seconds ahead and
 * reject more than 60.
 */
export const proofTolerance = { behind: 300, ahead: 60 } as const;

const compact = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const invalid = (description: string): ProofError => new ProofError('invalid_dpop_proof', description);

/**
 * Verifies everything that a proof itself shows (RFC 9449 section 4.3, steps 2 to 9, 11 and 12). The caller
 * verifies the nonce and that the proof is new.
 * @throws ProofError invalid_dpop_proof
 */
export function readProof(text: string, expected: ProofExpectation): Proof {
  if (text.length > maxProofLength || !compact.test(text)) throw invalid('The DPoP proof is malformed.');
  const [head = '', body = '', signature = ''] = text.split('.');
  const header = decodeObject(head);
  const claims = decodeObject(body);
  if (!header || !claims) throw invalid('The DPoP proof is malformed.');
  if (header.typ !== 'dpop+jwt' || header.crit !== undefined) {
    throw invalid('The DPoP proof must be of type dpop+jwt.');
  }
  const alg = dpopAlgorithms.find((known) => known === header.alg && (expected.isAllowed?.(known) ?? true));
  if (!alg)
    throw invalid(
      `The alg of the DPoP proof must be one of ${dpopAlgorithms.filter((known) => expected.isAllowed?.(known) ?? true).join(', ')}.`,
    );
  const { key, jkt } = publicKeyOf(header.jwk, alg);
  if (!signed(alg, Buffer.from(`${head}.${body}`, 'ascii'), key, Buffer.from(signature, 'base64url'))) {
    throw invalid('The signature of the DPoP proof is invalid.');
  }
  return { jkt, ...checkClaims(claims, expected) };
}

function checkClaims(
  claims: Record<string, unknown>,
  expected: ProofExpectation,
): Pick<Proof, 'jti' | 'nonce'> {
  const { jti, htm, htu, iat, ath, nonce } = claims;
  if (typeof jti !== 'string' || jti === '' || jti.length > maxIdLength) {
    throw invalid(`The DPoP proof must have a jti of at most ${maxIdLength} characters.`);
  }
  if (htm !== expected.method)
    throw invalid('The htm of the DPoP proof does not match the method of the request.');
  if (typeof htu !== 'string' || !sameAddress(htu, expected.uri)) {
    throw invalid('The htu of the DPoP proof does not match the URL of the request.');
  }
  const ahead = typeof iat === 'number' ? iat - expected.now : Number.NaN;
  const { maxAge = proofTolerance.behind } = expected;
  if (!(ahead >= -maxAge && ahead <= proofTolerance.ahead)) {
    throw invalid(
      `The iat of the DPoP proof must be at most ${maxAge} seconds old and ${proofTolerance.ahead} seconds in the future.`,
    );
  }
  if (expected.accessToken !== undefined) {
    const digest = createHash('sha256').update(expected.accessToken, 'ascii').digest('base64url');
    if (ath !== digest) throw invalid('The ath of the DPoP proof does not match the access token.');
  }
  if (nonce !== undefined && typeof nonce !== 'string')
    throw invalid('The nonce of the DPoP proof is malformed.');
  return { jti, nonce };
}

/** Step 9: without query and fragment, after normalisation by scheme and syntax. */
function sameAddress(htu: string, uri: string): boolean {
  if (!URL.canParse(htu)) return false;
  const [given, actual] = [new URL(htu), new URL(uri)];
  return (
    given.origin === actual.origin &&
    given.pathname === actual.pathname &&
    given.username === '' &&
    given.password === ''
  );
}

interface KnownKey {
  key: KeyObject;
  alg: ProofAlgorithm;
  jkt: string;
}

// A client signs every proof with one key; importing it costs nearly as much as a verification.
const keys = new BoundedCache<KnownKey>(5_000);

const shapeOf: Record<ProofAlgorithm, { kty: string; crv?: string; members: readonly string[] }> = {
  ES256: { kty: 'EC', crv: 'P-256', members: ['crv', 'kty', 'x', 'y'] },
  ES384: { kty: 'EC', crv: 'P-384', members: ['crv', 'kty', 'x', 'y'] },
  PS256: { kty: 'RSA', members: ['e', 'kty', 'n'] },
  EdDSA: { kty: 'OKP', crv: 'Ed25519', members: ['crv', 'kty', 'x'] },
  Ed25519: { kty: 'OKP', crv: 'Ed25519', members: ['crv', 'kty', 'x'] },
};

/**
 * Returns the proof's key and its thumbprint (RFC 7638 section 3). The key must be public and fit the
 * algorithm.
 */
function publicKeyOf(jwk: unknown, alg: ProofAlgorithm): KnownKey {
  const shape = shapeOf[alg];
  if (typeof jwk !== 'object' || jwk === null) throw invalid('The DPoP proof has no key.');
  const given = jwk as Record<string, unknown>;
  const contradiction = contradictionOf(given, alg);
  if (contradiction !== undefined) throw invalid(`jwk of the DPoP proof: ${contradiction}`);
  if (given.kty !== shape.kty || (shape.crv !== undefined && given.crv !== shape.crv)) {
    throw invalid('The key of the DPoP proof does not match its alg.');
  }
  // Only the required members, in order: the input of the thumbprint.
  const required: Record<string, string> = {};
  for (const name of shape.members) {
    const value = given[name];
    if (typeof value !== 'string' || !/^[A-Za-z0-9_-]+$/.test(value)) {
      throw invalid('The key of the DPoP proof is malformed.');
    }
    required[name] = value;
  }
  const jkt = createHash('sha256').update(JSON.stringify(required)).digest('base64url');
  const known = keys.get(`${alg} ${jkt}`);
  if (known) return known;
  const made = { key: importKey(required), alg, jkt };
  keys.set(`${alg} ${jkt}`, made);
  return made;
}

function importKey(jwk: Record<string, string>): KeyObject {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    throw invalid('The key of the DPoP proof is malformed.');
  }
  const bits = key.asymmetricKeyDetails?.modulusLength;
  const exponent = key.asymmetricKeyDetails?.publicExponent;
  if (bits !== undefined && (bits < 2_048 || bits > 4_096)) {
    throw invalid('An RSA key of a DPoP proof must have 2048 to 4096 bits.');
  }
  // A large exponent would make a verification as expensive as a signature.
  if (exponent !== undefined && (exponent < 3n || exponent > 0xffff_ffffn)) {
    throw invalid('The key of the DPoP proof is malformed.');
  }
  return key;
}

function signed(alg: ProofAlgorithm, input: Buffer, key: KeyObject, signature: Buffer): boolean {
  switch (alg) {
    case 'ES256':
      return verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signature);
    case 'ES384':
      return verify('sha384', input, { key, dsaEncoding: 'ieee-p1363' }, signature);
    case 'PS256':
      return verify(
        'sha256',
        input,
        { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 },
        signature,
      );
    case 'EdDSA':
    case 'Ed25519':
      return verify(null, input, key, signature);
  }
}

function decodeObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
