import { createHash } from 'node:crypto';
import { invalidRequest } from '../../protocol/index.ts';
import type { AuthorizedRequest } from './authorized-request.ts';

/** What a code stands for; the grant's id is fixed at issuance, so that a replay knows what to revoke. */
export interface CodeContent extends AuthorizedRequest {
  grantId: string;
}

/** What a redemption must match. */
export interface Redemption {
  tenant: string;
  code: string;
  clientId: string;
  redirectUri: string | undefined;
  /** S256 challenge of the presented verifier. */
  codeChallenge: string;
  /** The client proved who it is with a secret. */
  clientAuthenticated: boolean;
  /** Thumbprint of the key the token request proved to hold. */
  dpopJkt?: string | undefined;
}

export type RedemptionOutcome =
  /** This call, and no other, consumed the code. */
  | { outcome: 'consumed'; content: CodeContent }
  /** It was consumed before, by whoever: everything descended from it must die. */
  | { outcome: 'replayed'; content: CodeContent }
  /** Unknown, expired, or something doesn't match; a live code stays live. */
  | { outcome: 'unknown' | 'client' | 'redirect_uri' | 'code_verifier' | 'dpop_jkt' };

export interface CodeStore {
  issue(request: AuthorizedRequest, longestSeconds?: number): Promise<string>;
  redeem(redemption: Redemption): Promise<RedemptionOutcome>;
}

/**
 * The S256 challenge of a verifier (RFC 7636 §4.2).
 * @throws OAuthError invalid_request when it isn't 43 to 128 unreserved characters (§4.1)
 */
export function challengeOf(codeVerifier: string): string {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(codeVerifier)) {
    throw invalidRequest('code_verifier must be 43 to 128 unreserved characters.');
  }
  return createHash('sha256').update(codeVerifier, 'ascii').digest('base64url');
}
