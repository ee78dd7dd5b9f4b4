export interface IdTokenHint {
  subject: string;
  clientId: string;
  sessionId?: string;
  /** Unix seconds; may lie in the past: an expired ID token is still a valid hint. */
  expiresAt: number;
}

export interface IdTokens {
  /** Checks an `id_token_hint` (OIDC RP-Initiated Logout §2): signature, issuer, type. Null when it isn't ours. */
  readHint(tenant: string, idToken: string): Promise<IdTokenHint | null>;
}
