import type { Logout } from './logouts.ts';

/** Request for a sign-in (OpenID Connect Core §3.1.2.1). */
export interface AuthorizationRequest {
  redirectUri: string;
  resource: string;
  scopes: readonly string[];
  state: string;
  nonce: string;
  /** PKCE (RFC 7636). */
  verifier: string;
  acr: readonly string[] | undefined;
  /** Seconds. */
  maxAge: number | undefined;
}

export interface Redemption {
  /** Parameters of the callback. */
  answer: URLSearchParams;
  redirectUri: string;
  resource: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** Tokens of a redeemed code. The ID token is verified, the access token is not. */
export interface RedeemedTokens {
  accessToken: string;
  refreshToken: string | undefined;
  idToken: string;
  subject: string;
  sessionId: string | undefined;
}

export interface SignOutRequest {
  idToken: string | undefined;
  postLogoutRedirectUri: string | undefined;
}

/** Error of an answer of the issuer: it rejects the request, or the answer is not for it. */
export class AnswerRejected extends Error {
  /** `error` of the answer (RFC 6749 §4.1.2.1); undefined for an answer that does not pass the checks. */
  readonly code: string | undefined;

  constructor(code: string | undefined, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'AnswerRejected';
    this.code = code;
  }
}

/** The issuer, to which the guard is a client. Each method throws an Error if the issuer does not respond. */
export interface Issuer {
  authorizationAddress(request: AuthorizationRequest): Promise<string>;
  /** @throws AnswerRejected */
  redeem(redemption: Redemption): Promise<RedeemedTokens>;
  /** Revokes a refresh token, with its grant (RFC 7009). */
  revoke(refreshToken: string): Promise<void>;
  /** Returns the address of the sign-out (OpenID Connect RP-Initiated Logout 1.0); undefined if there is none. */
  signOutAddress(request: SignOutRequest): Promise<string | undefined>;
  /** Returns the content of a valid logout token. @throws AnswerRejected */
  readLogoutToken(token: string): Promise<Logout>;
}
