import { constants, createHash, type KeyObject, sign, verify } from 'node:crypto';

/** Supported signing algorithms (RFC 7518 §3.1, RFC 8037 §3.1). */
export type SigningAlgorithm = 'ES256' | 'RS256' | 'PS256' | 'EdDSA';

export const signingAlgorithms: readonly SigningAlgorithm[] = ['ES256', 'RS256', 'PS256', 'EdDSA'];

/** A private key for signing. */
export interface Signer {
  kid: string;
  alg: SigningAlgorithm;
  privateKey: KeyObject;
}

/** A public key of the server for verification. */
export interface Verifier {
  kid: string;
  alg: SigningAlgorithm;
  publicKey: KeyObject;
}

export interface DecodedJwt {
  header: Record<string, unknown>;
  payload: Record<string, unknown>;
}

/** RFC 7518 §3.5: the salt has the length of the digest. */
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };

// WebCrypto needs the thread pool for each signature; OpenSSL signs ES256 synchronously in about 40 µs.
function signature(alg: SigningAlgorithm, input: Buffer, key: KeyObject): Buffer {
  switch (alg) {
    case 'ES256':
      // The JWS form of Node.js needs an options object, whose key preparation takes as long as the signature.
      return joseSignature(sign('sha256', input, key));
    case 'RS256':
      return sign('sha256', input, key);
    case 'PS256':
      return sign('sha256', input, { key, ...pss });
    case 'EdDSA':
      return sign(null, input, key);
  }
}

const coordinate = 32;

/**
 * Returns an ES256 signature in the form of JWS, R ‖ S of 32 bytes each (RFC 7518 §3.4), from its DER form: a
 * SEQUENCE of two INTEGERs without leading zeros, except one if the first bit is set.
 */
export function joseSignature(der: Buffer): Buffer {
  const signed = Buffer.alloc(2 * coordinate);
  let offset = 2;
  for (let index = 0; index < 2; index += 1) {
    const length = der[offset + 1] ?? 0;
    const start = offset + 2;
    const integer = der.subarray(start + Math.max(length - coordinate, 0), start + length);
    integer.copy(signed, (index + 1) * coordinate - integer.length);
    offset = start + length;
  }
  return signed;
}

function verified(alg: SigningAlgorithm, input: Buffer, key: KeyObject, signed: Buffer): boolean {
  switch (alg) {
    case 'ES256':
      return verify('sha256', input, { key, dsaEncoding: 'ieee-p1363' }, signed);
    case 'RS256':
      return verify('sha256', input, key, signed);
    case 'PS256':
      return verify('sha256', input, { key, ...pss }, signed);
    case 'EdDSA':
      return verify(null, input, key, signed);
  }
}

const headers = new Map<string, string>();

/** Returns the encoded protected header, cached by key and type. */
function encodedHeader(typ: string, signer: Signer): string {
  const name = `${typ} ${signer.alg} ${signer.kid}`;
  let header = headers.get(name);
  if (header === undefined) {
    if (headers.size > 10_000) headers.clear();
    header = Buffer.from(JSON.stringify({ typ, alg: signer.alg, kid: signer.kid })).toString('base64url');
    headers.set(name, header);
  }
  return header;
}

/** Returns a JWT in compact serialization (RFC 7515 §3.1). */
export function signJwt(typ: string, payload: object, signer: Signer): string {
  const input = `${encodedHeader(typ, signer)}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
  return `${input}.${signature(signer.alg, Buffer.from(input, 'ascii'), signer.privateKey).toString('base64url')}`;
}

const compact = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const maxLength = 16_384;

/** Decodes a compact JWT without verification; undefined if it is not one. */
export function decodeJwt(token: string): DecodedJwt | undefined {
  if (token.length > maxLength || !compact.test(token)) return undefined;
  const [header, payload] = token.split('.', 2).map(decodeObject);
  return header && payload ? { header, payload } : undefined;
}

/** Decodes an unsecured JWT (RFC 7519 §6), whose signature is empty; undefined if it is not one. */
export function decodeUnsecuredJwt(token: string): DecodedJwt | undefined {
  // A placeholder signature, because only header and payload are read.
  return token.endsWith('.') ? decodeJwt(`${token}A`) : undefined;
}

/**
 * Returns the payload of a JWT of the given type that is signed with the named key and exactly its algorithm,
 * otherwise undefined. Does not check claims such as issuer and expiry.
 */
export async function verifyJwt(
  token: string,
  typ: string,
  keyOf: (kid: string) => Promise<Verifier | undefined>,
): Promise<Record<string, unknown> | undefined> {
  const decoded = decodeJwt(token);
  if (decoded === undefined) return undefined;
  const { header, payload } = decoded;
  if (typeof header.kid !== 'string' || !sameType(header.typ, typ) || header.crit !== undefined)
    return undefined;
  const key = await keyOf(header.kid);
  if (key === undefined || header.alg !== key.alg) return undefined;
  const dot = token.lastIndexOf('.');
  const encodedSignature = token.slice(dot + 1);
  const signed = Buffer.from(encodedSignature, 'base64url');
  // Rejects a second encoding of the same signature, which would be a second token (trailing bits of base64url).
  if (signed.toString('base64url') !== encodedSignature) return undefined;
  const input = Buffer.from(token.slice(0, dot), 'ascii');
  return verified(key.alg, input, key.publicKey, signed) ? payload : undefined;
}

/** RFC 7515 §4.1.9: `application/` may be omitted, and case is ignored. */
const sameType = (given: unknown, expected: string): boolean =>
  typeof given === 'string' && given.toLowerCase().replace(/^application\//, '') === expected.toLowerCase();

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

/** Returns `at_hash` (OpenID Connect Core §3.1.3.6): the left half of the digest of the ID token's algorithm. */
export function tokenHash(alg: SigningAlgorithm, token: string): string {
  const digest = createHash(alg === 'EdDSA' ? 'sha512' : 'sha256')
    .update(token, 'ascii')
    .digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

/** Source of the keys that sign and verify the tokens of a tenant. */
export interface SigningKeyRing {
  signer(tenant: string, alg: SigningAlgorithm): Promise<Signer>;
  verifier(tenant: string, kid: string): Promise<Verifier | undefined>;
}
