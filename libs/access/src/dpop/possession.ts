import { AccessError, invalidToken } from '../errors.ts';
import type { PresentedToken } from '../tokens/presented.ts';
import type { DpopProofs } from './dpop.ts';
import { ProofError } from './dpop-proof.ts';

/**
 * How the sender of a sender-constrained token shows that they hold its key: by the request that presents it, or by
 * the word of the gateway, which has checked the request itself (`vouchedFor`).
 */
export type Possession = PresentedToken | 'vouched';

/**
 * Requires that a token and the way it was presented belong together (RFC 9449 section 7.1): a bound token only with a
 * proof by its key, any other only as Bearer. Costs nothing for Bearer tokens.
 * @param jkt thumbprint of the key the token is bound to, if it is
 * @throws AccessError; TooManyRequests; ServiceUnavailable when that can't be decided now
 */
export async function requirePossession(
  token: string,
  jkt: string | undefined,
  possession: Possession | undefined,
  o: { proofs: DpopProofs | undefined; publicOrigin: string },
): Promise<void> {
  if (possession === undefined || possession === 'vouched' || possession.scheme === 'Bearer') {
    if (jkt !== undefined && possession !== 'vouched') {
      throw invalidToken('The access token is bound to a key and needs the DPoP scheme with a proof.');
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
