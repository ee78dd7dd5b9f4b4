import { createHash } from 'node:crypto';
import { invalidRequest } from '../../../platform/index.ts';
import type { ReleasedClaims } from './claims-request.ts';

/** Authorization request after sign-in and consent. */
export interface AuthorizedRequest {
  tenant: string;
  clientId: string;
  /**
   * Epoch of the client at the time of the request. A code is invalid after the client was disabled, even if the client
   * is enabled again.
   */
  clientEpoch: number;
  redirectUri: string;
  /** Whether the client sent it. If so, the token request must repeat it (RFC 6749 §4.1.3). */
  redirectUriSent: boolean;
  /**
   * S256 challenge (RFC 7636 §4.2): 43 base64url characters. Empty for a client that is exempt from PKCE and sent none.
   */
  codeChallenge: string;
  subjectId: string;
  /** Epoch of the subject at the time of consent. An offboarding invalidates the code. */
  subjectEpoch: number;
  /** Consent revocation counter at the time of consent. A higher current value invalidates the code. */
  withdrawals: number;
  sessionId: string;
  /** Granted scopes: registered for the client, permitted to the subject, and consented to. */
  scopes: readonly string[];
  /** Granted resource indicators; empty means the tenant's own API. */
  resources: readonly string[];
  nonce?: string;
  /** Thumbprint of the key that the redemption must prove to hold (RFC 9449 §10). */
  dpopJkt?: string;
  /** Unix seconds. */
  authTime: number;
  amr: readonly string[];
  acr?: string;
  /** Claims requested by name that the user consented to (OpenID Connect Core §5.5). */
  claims?: ReleasedClaims;
}

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

export interface AuthorizationCodes {
  /**
   * Issues a single-use code, valid for AUTHORIZATION_CODE_TTL_SECONDS and at most `maxSeconds`. @throws
   * ServiceUnavailable without Redis
   */
  issue(request: AuthorizedRequest, maxSeconds?: number): Promise<string>;
}

export interface CodeStore extends AuthorizationCodes {
  redeem(redemption: Redemption): Promise<RedemptionOutcome>;
  /** Returns the content of a code that the redemption would consume, without consuming it. */
  peek(redemption: Redemption): Promise<CodeContent | undefined>;
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
