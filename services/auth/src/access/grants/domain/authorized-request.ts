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

export interface AuthorizationCodes {
  /**
   * Issues a single-use code, valid for AUTHORIZATION_CODE_TTL_SECONDS and at most `maxSeconds`. @throws
   * ServiceUnavailable without Redis
   */
  issue(request: AuthorizedRequest, maxSeconds?: number): Promise<string>;
}
