/** Error codes of RFC 6750 section 3.1. */
export type AccessErrorCode = 'invalid_request' | 'invalid_token' | 'insufficient_scope';

const statusOfCode: Record<AccessErrorCode, 400 | 401 | 403> = {
  invalid_request: 400,
  invalid_token: 401,
  insufficient_scope: 403,
};

/**
 * Why a protected resource refuses a request. Without `error` the request carried no credentials at all, and the
 * challenge names only the realm (RFC 6750 section 3.1).
 */
export class AccessError extends Error {
  readonly statusCode: 400 | 401 | 403;
  readonly error: AccessErrorCode | undefined;
  readonly description: string;
  /** Space-delimited scopes, any one of which would have done. */
  readonly scope: string | undefined;

  constructor(error: AccessErrorCode | undefined, description: string, scope?: string) {
    super(description);
    this.name = 'AccessError';
    this.statusCode = error ? statusOfCode[error] : 401;
    this.error = error;
    this.description = description;
    this.scope = scope;
  }

  /** The `WWW-Authenticate` value (RFC 6750 section 3). */
  wwwAuthenticate(realm: string): string {
    const parameters = [`realm="${quotable(realm)}"`];
    if (this.error) {
      parameters.push(`error="${this.error}"`, `error_description="${quotable(this.description)}"`);
    }
    if (this.scope) parameters.push(`scope="${quotable(this.scope)}"`);
    return `Bearer ${parameters.join(', ')}`;
  }
}

const quotable = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/g, '');

export const missingToken = (): AccessError => new AccessError(undefined, 'An access token is required.');

export const invalidToken = (description = 'The access token is expired, revoked or invalid.'): AccessError =>
  new AccessError('invalid_token', description);

export const invalidRequest = (description: string): AccessError =>
  new AccessError('invalid_request', description);

export const insufficientScope = (scopes: readonly string[]): AccessError =>
  new AccessError('insufficient_scope', 'The access token lacks a scope that this needs.', scopes.join(' '));
