import { createHash } from 'node:crypto';
import { invalidRequest } from '../../../platform/index.ts';
import type { AuthorizedRequest } from './authorized-request.ts';

/** Content of a code. The id of the grant is fixed at issue, so that a replay identifies the grant to revoke. */
export interface CodeContent extends AuthorizedRequest {
  grantId: string;
}

/** Values that a redemption must match. */
export interface Redemption {
  tenant: string;
  code: string;
  clientId: string;
  redirectUri: string | undefined;
  /** S256 challenge of the presented verifier. */
  codeChallenge: string;
  clientAuthenticated: boolean;
  /** Thumbprint of the key that the token request proved to hold. */
  dpopJkt?: string | undefined;
}

export type RedemptionOutcome =
  /** Exactly this call consumed the code. */
  | { outcome: 'consumed'; content: CodeContent }
  /** The code was consumed before: everything issued from it must be revoked. */
  | { outcome: 'replayed'; content: CodeContent }
  /** Unknown, expired, or a value does not match. A valid code stays valid. */
  | { outcome: 'unknown' | 'client' | 'redirect_uri' | 'code_verifier' | 'dpop_jkt' };

export interface CodeStore {
  issue(request: AuthorizedRequest, maxSeconds?: number): Promise<string>;
  redeem(redemption: Redemption): Promise<RedemptionOutcome>;
}

/**
 * Returns the S256 challenge of a verifier (RFC 7636 §4.2).
 * @throws OAuthError invalid_request unless it is 43 to 128 unreserved characters (§4.1)
 */
export function challengeOf(codeVerifier: string): string {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(codeVerifier)) {
    throw invalidRequest('code_verifier must be 43 to 128 unreserved characters.');
  }
  return createHash('sha256').update(codeVerifier, 'ascii').digest('base64url');
}
