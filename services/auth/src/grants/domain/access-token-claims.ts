/** Claims of an access token of ours (RFC 9068 §2.2), as read back. */
export interface AccessTokenClaims {
  iss: string;
  sub: string;
  aud: string | string[];
  exp: number;
  iat: number;
  jti: string;
  client_id: string;
  client_epoch: number;
  scope?: string;
  cnf?: { jkt: string };
  sub_epoch?: number;
  grant_id?: string;
  /** The session; as read back always its own id, whatever the client knows it as. */
  sid?: string;
  /** Only as read back: what the client knows the session as, where that isn't its id. */
  presented_sid?: string;
  auth_time?: number;
  amr?: string[];
  acr?: string;
  act?: Record<string, unknown>;
  may_act?: { sub: string };
  /** The tokens this one was exchanged for: what a revocation of theirs is matched with. */
  derived_from?: Record<string, unknown>[];
}
