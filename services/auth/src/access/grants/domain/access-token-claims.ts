/** Claims of an access token of this service (RFC 9068 §2.2), after verification. */
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
  /** Roles of the API that is the audience (RFC 9068 §2.2.3.1). */
  roles?: string[];
  cnf?: { jkt: string };
  sub_epoch?: number;
  grant_id?: string;
  /** Internal session id, also where the client has another identifier for the session. */
  sid?: string;
  /** Session identifier of the client, if it differs from the internal id. */
  presented_sid?: string;
  auth_time?: number;
  amr?: string[];
  acr?: string;
  act?: Record<string, unknown>;
  may_act?: { sub: string };
  /** Tokens that this one was exchanged for, to which revocations also apply. */
  derived_from?: Record<string, unknown>[];
}
