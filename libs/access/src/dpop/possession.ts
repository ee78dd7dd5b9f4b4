import { AccessError, invalidToken, ProofError } from '@ostiary/verifier/core';
import type { PresentedToken } from '../tokens/presented.ts';
import type { DpopProofs } from './dpop.ts';

/**
 * Evidence that the sender holds the key of a sender-constrained token: the request itself, or the gateway's
 * voucher, which has verified the request (`vouchedFor`).
 */
export type Possession = PresentedToken | 'vouched';

/**
 * Requires that a token matches its presentation (RFC 9449 section 7.1): a bound token with a proof by its
 * key, any other as Bearer. Bearer tokens cost nothing.
 * @param jkt thumbprint of the key to which the token is bound, if any
 * @throws AccessError; TooManyRequests; ServiceUnavailable if the proof cannot be verified now
 */
export async function requirePossession(
  token: string,
  jkt: string | undefined,
  possession: Possession | undefined,
  o: { proofs: DpopProofs | undefined; publicOrigin: string },
): Promise<void> {
  if (possession === undefined || possession === 'vouched' || possession.scheme === 'Bearer') {
    if (jkt !== undefined && possession !== 'vouched') {
      throw invalidToken('The access token is bound to a key and requires the DPoP scheme with a proof.');
    }
    return;
  }
  const { proofs } = o;
  if (jkt === undefined || proofs === undefined) {
    throw invalidToken('The access token is not bound to a key.');
  }
  possession.offerNonce(await proofs.nonce());
  if (possession.proof === undefined) {
    throw new AccessError('invalid_dpop_proof', 'The DPoP header is missing.');
  }
  try {
    const uri = `${o.publicOrigin}${possession.path}`;
    const { method, address } = possession;
    const expected = { method, uri, accessToken: token };
    const signer = await proofs.verify(possession.proof, expected, { address, isKnown: true });
    if (signer !== jkt) throw invalidToken('The access token is bound to another key.');
  } catch (error) {
    throw error instanceof ProofError ? new AccessError(error.code, error.message) : error;
  }
}
