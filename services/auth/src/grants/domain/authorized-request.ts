import type { ReleasedClaims } from './claims-request.ts';

/** What an authorization request became once the person signed in and agreed. */
export interface AuthorizedRequest {
  tenant: string;
  clientId: string;
  /** The client's epoch when it asked: a code does not outlive a client that was disabled, nor come back with it. */
  clientEpoch: number;
  redirectUri: string;
  /** Whether the client sent it: then it must repeat it at redemption (RFC 6749 §4.1.3). */
  redirectUriSent: boolean;
  /** S256 challenge (RFC 7636 §4.2): 43 base64url characters. Empty for a client that is exempt from PKCE and sent none. */
  codeChallenge: string;
  subjectId: string;
  /** The subject's epoch when they agreed: a code does not outlive a departure. */
  subjectEpoch: number;
  /** How often they had taken back what they allowed the client, when they agreed: once more, and the code is worth nothing. */
  withdrawals: number;
  sessionId: string;
  /** Granted scopes: registered for the client, allowed to the subject, agreed to. */
  scopes: readonly string[];
  /** Granted resource indicators; empty = the tenant's own API. */
  resources: readonly string[];
  nonce?: string;
  /** Thumbprint of the key that the redemption must prove to hold (RFC 9449 §10). */
  dpopJkt?: string;
  /** Unix seconds. */
  authTime: number;
  amr: readonly string[];
  acr?: string;
  /** Claims asked for by name that the person allowed (OpenID Connect Core §5.5). */
  claims?: ReleasedClaims;
}

export interface AuthorizationCodes {
  /** A single-use code, living AUTHORIZATION_CODE_TTL_SECONDS, at most `longestSeconds`. Throws ServiceUnavailable without Redis. */
  issue(request: AuthorizedRequest, longestSeconds?: number): Promise<string>;
}
