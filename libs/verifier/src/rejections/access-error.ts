import { dpopAlgorithms } from '../dpop-algorithms.ts';

/**
 * Error codes of RFC 6750 section 3.1, RFC 9449 section 12.2 and RFC 9470 section 3. `insufficient_role` is our own: an
 * application cannot request a role, so it must not treat the error as a missing scope.
 */
export type AccessErrorCode =
  | 'invalid_request'
  | 'invalid_token'
  | 'insufficient_scope'
  | 'insufficient_role'
  | 'insufficient_user_authentication'
  | 'invalid_dpop_proof'
  | 'use_dpop_nonce';

const statusOfCode: Record<AccessErrorCode, 400 | 401 | 403> = {
  invalid_request: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  insufficient_role: 403,
  insufficient_user_authentication: 401,
  invalid_dpop_proof: 401,
  use_dpop_nonce: 401,
};

/** Parameters of a challenge besides the error. */
export interface ChallengeOptions {
  /** Scheme of the request. */
  scheme?: 'Bearer' | 'DPoP';
  /** Whether the resource accepts DPoP proofs. */
  dpop?: boolean;
  /** URL of the resource's metadata (RFC 9728). */
  resourceMetadata?: string;
}

/**
 * Rejection of a request to a protected resource. Without `error` the request had no credentials, and the
 * challenge contains only the realm (RFC 6750 section 3.1).
 */
export class AccessError extends Error {
  readonly statusCode: 400 | 401 | 403;
  readonly error: AccessErrorCode | undefined;
  readonly description: string;
  /** Accepted scopes, separated by spaces; one is sufficient. */
  readonly scope: string | undefined;
  /** The required sign-in. */
  readonly authentication: RequiredAuthentication | undefined;

  constructor(
    error: AccessErrorCode | undefined,
    description: string,
    scope?: string,
    authentication?: RequiredAuthentication,
  ) {
    super(description);
    this.name = 'AccessError';
    this.statusCode = error ? statusOfCode[error] : 401;
    this.error = error;
    this.description = description;
    this.scope = scope;
    this.authentication = authentication;
  }

  /**
   * Returns the `WWW-Authenticate` value (RFC 6750 section 3, RFC 9449 section 7.1, RFC 9728 section 5.1).
   */
  wwwAuthenticate(realm: string, o: ChallengeOptions = {}): string {
    const place = `realm="${quotable(realm)}"`;
    const metadata = o.resourceMetadata ? [`resource_metadata="${quotable(o.resourceMetadata)}"`] : [];
    const parameters = [place];
    if (this.error) {
      parameters.push(`error="${this.error}"`, `error_description="${quotable(this.description)}"`);
    }
    if (this.scope) parameters.push(`scope="${quotable(this.scope)}"`);
    const { acrValues, maxAge } = this.authentication ?? {};
    if (acrValues) parameters.push(`acr_values="${quotable(acrValues.join(' '))}"`);
    if (maxAge !== undefined) parameters.push(`max_age="${maxAge}"`);
    parameters.push(...metadata);
    const algs = `algs="${dpopAlgorithms.join(' ')}"`;
    if (o.dpop && o.scheme === 'DPoP') return `DPoP ${[...parameters, algs].join(', ')}`;
    const bearer = `Bearer ${parameters.join(', ')}`;
    return o.dpop && this.statusCode === 401
      ? `${bearer}, DPoP ${[place, ...metadata, algs].join(', ')}`
      : bearer;
  }
}

const quotable = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/g, '');

export const missingToken = (): AccessError => new AccessError(undefined, 'An access token is required.');

export const invalidToken = (description = 'The access token is expired, revoked or invalid.'): AccessError =>
  new AccessError('invalid_token', description);

export const invalidRequest = (description: string): AccessError =>
  new AccessError('invalid_request', description);

export const insufficientScope = (scopes: readonly string[]): AccessError =>
  new AccessError('insufficient_scope', 'The access token lacks a required scope.', scopes.join(' '));

export const insufficientRole = (): AccessError =>
  new AccessError('insufficient_role', 'The user of the access token lacks a required role.');

/** The sign-in that a request requires (RFC 9470). */
export interface RequiredAuthentication {
  /** Accepted classes of authentication (`acr`). */
  acrValues?: readonly string[];
  /** Maximum age of the sign-in in seconds. */
  maxAge?: number;
}
