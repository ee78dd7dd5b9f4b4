import { createPublicKey, type KeyObject } from 'node:crypto';
import { contradictionOf, isSameAlgorithm } from '@ostiary/access';
import { invalidClientMetadata } from '../../platform/index.ts';
import {
  type AssertionAlgorithm,
  privateKeyAlgorithms,
  secretAlgorithms,
} from './assertions/assertion-algorithms.ts';
import type { ClientAuthMethod } from './client.ts';
import type { ClientMetadata } from './client-registry.ts';
import { checkDocumentAddress } from './document-address.ts';

/** A public key of a client (RFC 7517 §4), reduced to the members needed for verification. */
export interface ClientKey {
  readonly kty: 'RSA' | 'EC' | 'OKP';
  readonly kid?: string;
  readonly alg?: string;
  readonly use?: 'sig';
  readonly n?: string;
  readonly e?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
}

/** Stored key metadata of a client. */
export interface AuthenticationKeys {
  jwks?: { keys: readonly ClientKey[] };
  jwks_uri?: string;
  token_endpoint_auth_signing_alg?: AssertionAlgorithm;
}

const maxKeys = 20;
const publicMembers = { RSA: ['n', 'e'], EC: ['crv', 'x', 'y'], OKP: ['crv', 'x'] } as const;
const curves = new Set(['P-256', 'P-384', 'P-521', 'Ed25519']);
const imported = new WeakMap<ClientKey, KeyObject>();

/**
 * Checks the keys of a registration (RFC 7591 §2).
 * @throws OAuthError invalid_client_metadata
 */
export function checkAuthenticationKeys(method: ClientAuthMethod, input: ClientMetadata): AuthenticationKeys {
  const { jwks, jwks_uri: uri, token_endpoint_auth_signing_alg: algorithm } = input;
  if (jwks !== undefined && uri !== undefined) {
    throw invalidClientMetadata('jwks and jwks_uri are mutually exclusive.');
  }
  if (method === 'private_key_jwt' && jwks === undefined && uri === undefined) {
    throw invalidClientMetadata('private_key_jwt requires jwks or jwks_uri.');
  }
  return {
    ...(jwks === undefined ? {} : { jwks: { keys: checkKeys(jwks) } }),
    ...(uri === undefined ? {} : { jwks_uri: checkDocumentAddress('jwks_uri', uri) }),
    ...(algorithm === undefined
      ? {}
      : { token_endpoint_auth_signing_alg: checkAlgorithm(method, algorithm) }),
  };
}

/** Returns the usable keys of a remote document and skips the others (RFC 7517 §5). */
export function readKeys(document: unknown): ClientKey[] {
  if (!isObject(document) || !Array.isArray(document.keys)) return [];
  return document.keys
    .slice(0, maxKeys)
    .map(readKey)
    .filter((key) => typeof key !== 'string');
}

/** Returns the keys that may have made a signature with this header. */
export function keysFor(
  keys: readonly ClientKey[],
  header: { alg: AssertionAlgorithm; kid?: string },
): KeyObject[] {
  return keys
    .filter((key) => suits(key, header.alg))
    .filter((key) => header.kid === undefined || key.kid === undefined || key.kid === header.kid)
    .map(keyObject);
}

/** Strict: an invalid key is rejected at registration. */
function checkKeys(jwks: unknown): ClientKey[] {
  if (!isObject(jwks) || !Array.isArray(jwks.keys) || jwks.keys.length === 0) {
    throw invalidClientMetadata('jwks must be a JSON Web Key Set with at least one key.');
  }
  if (jwks.keys.length > maxKeys) throw invalidClientMetadata(`jwks has more than ${maxKeys} keys.`);
  const keys = jwks.keys.map((jwk) => {
    const key = readKey(jwk);
    if (typeof key === 'string') throw invalidClientMetadata(key);
    return key;
  });
  const ids = keys.flatMap(({ kid }) => (kid === undefined ? [] : [kid]));
  if (new Set(ids).size !== ids.length) throw invalidClientMetadata('Two keys of jwks have the same kid.');
  return keys;
}

/** Returns the key, or the reason why it is invalid. */
function readKey(jwk: unknown): ClientKey | string {
  if (!isObject(jwk)) return 'A key must be a JSON object.';
  const contradiction = contradictionOf(jwk);
  if (contradiction !== undefined) return contradiction;
  const { kty, kid, alg, use } = jwk;
  if (kty !== 'RSA' && kty !== 'EC' && kty !== 'OKP') return 'A key must be of type RSA, EC or OKP.';
  if (kid !== undefined && !isPrintable(kid)) return 'A kid must be 1 to 256 printable characters.';
  if (alg !== undefined && !privateKeyAlgorithms.some((known) => known === alg)) {
    return `The alg of a key must be one of ${privateKeyAlgorithms.join(', ')}.`;
  }
  const values = publicMembers[kty].map((name) => [name, jwk[name]] as const);
  if (!values.every(([, value]) => typeof value === 'string' && /^[A-Za-z0-9_-]{1,1400}$/.test(value))) {
    return 'A key lacks a parameter, or has one that is not base64url.';
  }
  const key = Object.freeze({
    kty,
    ...(kid === undefined ? {} : { kid }),
    ...(alg === undefined ? {} : { alg }),
    ...(use === undefined ? {} : { use }),
    ...Object.fromEntries(values),
  }) as ClientKey;
  if (key.crv !== undefined && !curves.has(key.crv))
    return 'A key must be on P-256, P-384, P-521 or Ed25519.';
  return isStrongEnough(key) ? key : 'A key is invalid, or an RSA key does not have 2048 to 8192 bits.';
}

/** Limits the size of moduli and exponents: a large one makes every verification slow. */
function isStrongEnough(key: ClientKey): boolean {
  try {
    const { asymmetricKeyDetails } = keyObject(key);
    if (key.kty !== 'RSA') return true;
    const bits = asymmetricKeyDetails?.modulusLength ?? 0;
    const exponent = asymmetricKeyDetails?.publicExponent ?? 0n;
    return bits >= 2_048 && bits <= 8_192 && exponent >= 3n && exponent < 2n ** 32n;
  } catch {
    return false;
  }
}

function keyObject(key: ClientKey): KeyObject {
  let known = imported.get(key);
  if (!known) {
    known = createPublicKey({ key: { ...key }, format: 'jwk' });
    imported.set(key, known);
  }
  return known;
}

const ecdsaCurve: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

function suits(key: ClientKey, alg: AssertionAlgorithm): boolean {
  if (key.alg !== undefined && !isSameAlgorithm(key.alg, alg)) return false;
  if (alg === 'EdDSA' || alg === 'Ed25519') return key.crv === 'Ed25519';
  const curve = ecdsaCurve[alg];
  return curve === undefined ? key.kty === 'RSA' : key.crv === curve;
}

function checkAlgorithm(method: ClientAuthMethod, given: unknown): AssertionAlgorithm {
  const allowed: readonly AssertionAlgorithm[] =
    method === 'private_key_jwt'
      ? privateKeyAlgorithms
      : method === 'client_secret_jwt'
        ? secretAlgorithms
        : [];
  const found = allowed.find((algorithm) => algorithm === given);
  if (found === undefined) {
    throw invalidClientMetadata(
      allowed.length === 0
        ? 'token_endpoint_auth_signing_alg requires private_key_jwt or client_secret_jwt.'
        : `token_endpoint_auth_signing_alg must be one of ${allowed.join(', ')}.`,
    );
  }
  return found;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPrintable = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x20-\x7e]{1,256}$/.test(value);
