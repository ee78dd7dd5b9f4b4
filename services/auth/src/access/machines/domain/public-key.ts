import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { contradictionOf, isSameAlgorithm } from '@ostiary/access';
import { calculateJwkThumbprint } from 'jose';
import { invalidRequest } from '../../../platform/index.ts';

export const maxKidLength = 200;

/**
 * Checks the public key of a service account (RFC 7517): EC P-256, RSA of 2048 to 8192 bits, or Ed25519.
 * @throws OAuthError invalid_request
 */
export async function checkPublicKey(
  jwk: unknown,
): Promise<{ publicJwk: Record<string, string>; alg: string; kid: string }> {
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) {
    throw invalidRequest('The key must be a JSON Web Key (RFC 7517).');
  }
  const claimed = jwk as Readonly<Record<string, unknown>>;
  const contradiction = contradictionOf(claimed);
  if (contradiction !== undefined) throw invalidRequest(contradiction);
  const key = importPublicKey(claimed);
  const alg = algorithmOf(key);
  if (alg === undefined) {
    throw invalidRequest('The key must be EC P-256, RSA of 2048 to 8192 bits, or Ed25519.');
  }
  if (claimed.alg !== undefined && !isSameAlgorithm(claimed.alg, alg)) {
    throw invalidRequest(`The key's alg must be ${alg}.`);
  }
  // Stores only the members of the key itself; others were not checked.
  const publicJwk = key.export({ format: 'jwk' }) as Record<string, string>;
  const { kid = await calculateJwkThumbprint(publicJwk) } = claimed;
  if (typeof kid !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(kid)) {
    throw invalidRequest(`The key's kid must have 1 to ${maxKidLength} printable ASCII characters.`);
  }
  return { publicJwk, alg, kid };
}

function importPublicKey(jwk: Readonly<Record<string, unknown>>): KeyObject {
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    throw invalidRequest('The key is not a valid public JSON Web Key (RFC 7517).');
  }
}

function algorithmOf(key: KeyObject): 'ES256' | 'RS256' | 'EdDSA' | undefined {
  const details = key.asymmetricKeyDetails;
  if (key.asymmetricKeyType === 'ec' && details?.namedCurve === 'prime256v1') return 'ES256';
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA';
  const bits = details?.modulusLength ?? 0;
  return key.asymmetricKeyType === 'rsa' && bits >= 2_048 && bits <= 8_192 ? 'RS256' : undefined;
}
