export interface IdTokenHint {
  subject: string;
  clientId: string;
  sessionId?: string;
  /** Unix seconds; may be in the past, because an expired ID token is a valid hint. */
  expiresAt: number;
}

export interface IdTokens {
  /**
   * Verifies an `id_token_hint` (OIDC RP-Initiated Logout §2): signature, issuer, type. Returns null if this tenant did
   * not issue it.
   */
  readHint(tenant: string, idToken: string): Promise<IdTokenHint | null>;
}
