import { createHash } from 'node:crypto';
import { AccessError, invalidToken } from '../rejections/access-error.ts';
import type { PresentedToken } from '../tokens/presented-token.ts';
import { ProofError, proofTolerance, readProof } from './dpop-proof.ts';
import type { ProofStore } from './proof-store.ts';

/** Maximum age of a proof in seconds. It is short, because there is no nonce. */
const maxAge = 60;
/** Longer than any proof is accepted. */
const storedSeconds = maxAge + proofTolerance.ahead + 10;

export interface ProofOptions {
  proofs: ProofStore;
  /** Origin of the API as its clients see it; undefined if it is unknown. */
  publicOrigin: string | undefined;
  /** Wall clock in milliseconds. */
  clock: () => number;
}

/**
 * Requires that a token is presented as RFC 9449 §7.1 requires: a bound token with a proof by its key, any other
 * as Bearer.
 * @param jkt thumbprint of the key to which the token is bound, if any
 * @throws AccessError; errors of the store
 */
export async function requireProof(
  presented: PresentedToken,
  jkt: string | undefined,
  { proofs, publicOrigin, clock }: ProofOptions,
): Promise<void> {
  const { scheme, proof, method, path, token } = presented;
  if (scheme === 'Bearer') {
    if (jkt !== undefined)
      throw invalidToken('The access token is bound to a key and requires the DPoP scheme with a proof.');
    return;
  }
  if (jkt === undefined) throw invalidToken('The access token is not bound to a key.');
  if (proof === undefined || method === undefined || path === undefined || publicOrigin === undefined)
    throw new AccessError('invalid_dpop_proof', 'The DPoP header is missing.');
  // Appended to the origin, another target could name another host.
  if (!path.startsWith('/'))
    throw new AccessError('invalid_dpop_proof', 'The target of the request must be a path or a URL.');
  try {
    const uri = `${publicOrigin}${path}`;
    const read = readProof(proof, { method, uri, accessToken: token, now: clock() / 1_000, maxAge });
    if (read.jkt !== jkt) throw invalidToken('The access token is bound to another key.');
    const id = createHash('sha256').update(`${read.jkt}\0${read.jti}`).digest('base64url');
    if (!(await proofs.add(id, storedSeconds, jkt)))
      throw new AccessError('invalid_dpop_proof', 'The DPoP proof has already been used.');
  } catch (error) {
    throw error instanceof ProofError ? new AccessError(error.code, error.message) : error;
  }
}
