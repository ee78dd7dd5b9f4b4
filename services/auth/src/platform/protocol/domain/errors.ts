/**
 * Codes of RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 7591 §3.2.2, RFC 8628 §3.5, RFC 8707 §2, RFC 9101 §7, RFC
 * 9449 §12.2 and OIDC Core §3.1.2.6.
 */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'unmet_authentication_requirements'
  | 'invalid_request_object'
  | 'invalid_request_uri'
  | 'registration_not_supported'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unapproved_software_statement'
  | 'server_error'
  | 'temporarily_unavailable';

/**
 * An error response of the protocol. `code` is for the client, `description` for its developer, and `reason` only for
 * the log, because it must not be disclosed to the client.
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly statusCode: number;
  readonly description: string;
  readonly reason: string | undefined;
  /** Value of the WWW-Authenticate header, if any. */
  readonly challenge: string | undefined;
  /** Value of the Retry-After header in seconds, if any. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: OAuthErrorCode,
    description: string,
    options: { statusCode?: number; reason?: string; challenge?: string; retryAfterSeconds?: number } = {},
  ) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.description = description;
    this.statusCode = options.statusCode ?? 400;
    this.reason = options.reason;
    this.challenge = options.challenge;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  toJSON(): { error: OAuthErrorCode; error_description: string } {
    return { error: this.code, error_description: this.description };
  }
}

/** The request is missing a parameter, repeats one, or is malformed (RFC 6749 §5.2). */
export const invalidRequest = (description: string): OAuthError =>
  new OAuthError('invalid_request', description);

/**
 * Client authentication failed (RFC 6749 §5.2). The description is the same for every cause that involves a secret or
 * key. `basic` is set if the client used the Authorization header.
 */
export const invalidClient = (
  reason: string,
  basic?: { realm: string },
  description = 'Client authentication failed.',
): OAuthError =>
  new OAuthError('invalid_client', description, {
    statusCode: 401,
    reason,
    ...(basic ? { challenge: `Basic realm="${basic.realm}", charset="UTF-8"` } : {}),
  });

/**
 * The client used another method than its registered one (RFC 7591 §2). This is the most frequent mistake in setting
 * up a client, so the description names the registered method, which is not secret.
 */
export const wrongClientAuthMethod = (
  { registered, used }: { registered: string; used: string },
  basic?: { realm: string },
): OAuthError =>
  invalidClient(
    `registered for ${registered}`,
    basic,
    `Client authentication failed: the client is registered for token_endpoint_auth_method ${registered}, not ${used}.`,
  );

/** No endpoint of a suspended tenant is available. */
export const tenantSuspended = (): OAuthError =>
  new OAuthError('access_denied', 'This tenant is suspended.', { statusCode: 403 });

/** The code or refresh token is invalid, expired, revoked, used, or was issued to another client. */
export const invalidGrant = (description: string, reason?: string): OAuthError =>
  new OAuthError('invalid_grant', description, reason === undefined ? {} : { reason });

export const unauthorizedClient = (description: string): OAuthError =>
  new OAuthError('unauthorized_client', description);

export const unsupportedGrantType = (description: string): OAuthError =>
  new OAuthError('unsupported_grant_type', description);

export const invalidScope = (description: string): OAuthError => new OAuthError('invalid_scope', description);

/** Descriptions contain only printable ASCII without quotes and backslash (RFC 6749 §5.2). */
const printable = (scope: string): string =>
  scope.slice(0, 128).replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');

/**
 * Returns invalid_scope with the name of the scope.
 * @param reason text after the name of the scope
 */
export const scopeRefused = (scope: string, reason: string): OAuthError =>
  invalidScope(`Scope ${printable(scope)} ${reason}.`);

/**
 * Requires that of the given scopes some remain.
 * @param reason text before the names of the given scopes
 * @throws OAuthError invalid_scope with the names of all given scopes
 */
export function requireScopesLeft(left: readonly string[], given: readonly string[], reason: string): void {
  if (left.length > 0) return;
  throw invalidScope(`${reason}: ${given.length === 0 ? 'there are none' : given.map(printable).join(' ')}.`);
}

/**
 * Returns the requested scopes.
 * @param reason text after the name of a scope that is not allowed
 * @throws OAuthError invalid_scope with the name of the first scope that is not allowed
 */
export function withinScopes(
  scopes: readonly string[],
  isAllowed: (scope: string) => boolean,
  reason: string,
): string[] {
  const refused = scopes.find((scope) => !isAllowed(scope));
  if (refused !== undefined) throw scopeRefused(refused, reason);
  return [...scopes];
}

/**
 * Too many requests (RFC 6585 §4). RFC 8628 §3.5 defines the code for a device that polls too fast; other clients
 * understand the status and `Retry-After`.
 */
export const slowDown = (waitMs: number): OAuthError =>
  new OAuthError('slow_down', 'Too many requests. Try again later.', {
    statusCode: 429,
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });

/** A resource indicator is malformed, unknown or not allowed (RFC 8707 §2). */
export const invalidTarget = (description: string): OAuthError =>
  new OAuthError('invalid_target', description);

export const invalidClientMetadata = (description: string): OAuthError =>
  new OAuthError('invalid_client_metadata', description);

export const invalidRedirectUri = (description: string): OAuthError =>
  new OAuthError('invalid_redirect_uri', description);
