import { type DpopProofs, ProofError } from '@ostiary/access';
import { TooManyRequests } from '@ostiary/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Client, isFapi2, isFapi2Algorithm } from '../../clients/index.ts';
import { OAuthError, slowDown } from '../../platform/index.ts';

/**
 * Returns the thumbprint of the key of the request's DPoP proof (RFC 9449 §5), or undefined without a DPoP header.
 * Consumes the proof. The response, also an error, carries the nonce for the next proof (§8).
 * @param uri the address of the endpoint as clients use it
 * @throws OAuthError invalid_dpop_proof, use_dpop_nonce, slow_down; ServiceUnavailable if the proof cannot be checked
 */
export async function proofKeyOf(
  proofs: DpopProofs,
  request: FastifyRequest,
  reply: FastifyReply,
  uri: string,
  client: Client,
): Promise<string | undefined> {
  const { dpop } = request.headers;
  if (dpop === undefined) return undefined;
  reply.header('dpop-nonce', await proofs.nonce());
  try {
    return await proofs.verify(
      String(dpop),
      { method: request.method, uri, isAllowed: isFapi2(client) ? isFapi2Algorithm : undefined },
      // Any caller can use the name of a public client.
      { address: request.ip, isKnown: client.type === 'confidential' },
    );
  } catch (error) {
    if (error instanceof TooManyRequests) throw slowDown(error.retryAfter * 1000);
    throw error instanceof ProofError ? new OAuthError(error.code, error.message) : error;
  }
}

/** RFC 9449 §5.2: a client may be registered for DPoP-bound tokens only. @throws OAuthError invalid_dpop_proof */
export function requireProofOf(client: Client, dpopJkt: string | undefined): void {
  if (dpopJkt === undefined && client.metadata.dpop_bound_access_tokens === true) {
    throw new OAuthError('invalid_dpop_proof', 'The client is registered for DPoP but sent no proof.');
  }
}
