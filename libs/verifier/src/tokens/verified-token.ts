import type { JWTPayload } from 'jose';
import { invalidToken } from '../rejections/access-error.ts';
import { type ActingParty, readActors, readAncestors, type TokenAncestor } from './delegation.ts';

/** The party that a verified access token represents, with the values that revocations match. */
export interface VerifiedToken {
  /** user: a token of a user. client: an app that acts for itself. */
  kind: 'user' | 'client';
  /** `sub`: a user id, or the client id when the client acts for itself. */
  subject: string;
  clientId: string;
  scopes: ReadonlySet<string>;
  /** Roles of the user at the audience (RFC 9068 §2.2.3.1). Absent in tokens of the platform's own APIs. */
  roles?: ReadonlySet<string>;
  issuer: string;
  audience: readonly string[];
  jti: string;
  /** `kid` of the signing key; absent for unsigned tokens. */
  keyId?: string;
  /** Unix seconds. */
  expiresAt: number;
  sessionId?: string;
  grantId?: string;
  /** Unix seconds of the sign-in. */
  authTime?: number;
  /** Class of the sign-in (OpenID Connect Core section 2). */
  acr?: string;
  /** Epoch of the subject at issue; a subject revocation with a higher epoch invalidates the token. */
  subjectEpoch?: number;
  clientEpoch?: number;
  /** Actors for the subject, the current one first (RFC 8693 §4.1); absent if the subject acts itself. */
  actors?: readonly ActingParty[];
  /** Tokens from which this one was exchanged; revoking one of them revokes this one. */
  ancestors?: readonly TokenAncestor[];
  /** Thumbprint of the key to which the token is bound (RFC 9449 section 6.1). */
  jkt?: string;
}

/**
 * Returns the contents of verified claims.
 * @throws AccessError invalid_token if a claim of RFC 9068 §2.2 is missing
 */
export function tokenOf(claims: JWTPayload): VerifiedToken {
  const { sub, jti, exp, client_id: clientId, scope } = claims;
  if (
    typeof sub !== 'string' ||
    typeof jti !== 'string' ||
    typeof clientId !== 'string' ||
    exp === undefined
  ) {
    throw invalidToken();
  }
  const audience = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  const token: VerifiedToken = {
    kind: isOfClient(claims) ? 'client' : 'user',
    subject: sub,
    clientId,
    scopes: new Set(typeof scope === 'string' && scope !== '' ? scope.split(' ') : []),
    roles: new Set(Array.isArray(claims.roles) ? claims.roles.filter(isText) : []),
    issuer: String(claims.iss),
    audience: audience.filter(isText),
    jti,
    expiresAt: exp,
  };
  // An unknown form of binding is rejected, not treated as unbound.
  if (claims.cnf !== undefined) token.jkt = thumbprintOf(claims.cnf);
  if (typeof claims.sid === 'string') token.sessionId = claims.sid;
  if (typeof claims.grant_id === 'string') token.grantId = claims.grant_id;
  if (typeof claims.auth_time === 'number') token.authTime = claims.auth_time;
  if (typeof claims.acr === 'string') token.acr = claims.acr;
  if (typeof claims.sub_epoch === 'number') token.subjectEpoch = claims.sub_epoch;
  if (typeof claims.client_epoch === 'number') token.clientEpoch = claims.client_epoch;
  if (claims.act !== undefined) token.actors = readActors(claims.act);
  if (claims.derived_from !== undefined) token.ancestors = readAncestors(claims.derived_from);
  return token;
}

const isText = (entry: unknown): entry is string => typeof entry === 'string';

function thumbprintOf(confirmation: unknown): string {
  const { jkt } = (confirmation ?? {}) as { jkt?: unknown };
  if (typeof jkt !== 'string') throw invalidToken();
  return jkt;
}

/**
 * Reports whether a token is the client's own: it has the client as subject, and no ancestors. An exchanged
 * one has the same subject, but was issued to another client.
 */
const isOfClient = (claims: JWTPayload): boolean =>
  claims.sub === claims.client_id || (claims.derived_from !== undefined && claims.sub_epoch === undefined);
