import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { SigningAlgorithm } from './jwt.ts';

/**
 * next: published before it signs, so that verifiers have it; current: signs; retired: published until the last token
 * that it signed has expired.
 */
export type KeyState = 'next' | 'current' | 'retired';

export interface SigningKey {
  kid: string;
  alg: SigningAlgorithm;
  state: KeyState;
  /** Published form with kid, alg and use (RFC 7517 §4). */
  publicJwk: JWK;
  publicKey: KeyObject;
  privateKey: KeyObject;
}

export interface NewSigningKey {
  kid: string;
  alg: SigningAlgorithm;
  publicJwk: JWK;
  privateJwk: JWK;
}

const generate = promisify(generateKeyPair);

async function keyPair(alg: SigningAlgorithm): Promise<KeyObject> {
  switch (alg) {
    case 'ES256':
      return (await generate('ec', { namedCurve: 'P-256' })).privateKey;
    case 'RS256':
    case 'PS256':
      return (await generate('rsa', { modulusLength: 2048 })).privateKey;
    case 'EdDSA':
      return (await generate('ed25519')).privateKey;
  }
}

export type GenerateSigningKey = (alg: SigningAlgorithm) => Promise<NewSigningKey>;

/** Generates a key pair outside the main thread. Its kid is the RFC 7638 thumbprint. */
export async function generateSigningKey(alg: SigningAlgorithm): Promise<NewSigningKey> {
  const privateKey = await keyPair(alg);
  const publicJwk = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(publicJwk);
  return {
    kid,
    alg,
    publicJwk: { ...publicJwk, kid, alg, use: 'sig' },
    privateJwk: privateKey.export({ format: 'jwk' }) as JWK,
  };
}

/** Returns a stored key with its key objects. */
export function loadSigningKey(stored: NewSigningKey & { state: KeyState }): SigningKey {
  const privateKey = createPrivateKey({ key: stored.privateJwk as never, format: 'jwk' });
  return {
    kid: stored.kid,
    alg: stored.alg,
    state: stored.state,
    publicJwk: stored.publicJwk,
    publicKey: createPublicKey(privateKey),
    privateKey,
  };
}
