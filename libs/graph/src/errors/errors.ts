import { HeaderMap } from '@apollo/server';
import { GraphQLError } from 'graphql';

/** Values of `extensions.code`. Clients decide by the code; messages are for users. */
export type ErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'INSUFFICIENT_USER_AUTHENTICATION'
  | 'NOT_FOUND'
  | 'BAD_USER_INPUT'
  | 'CONFLICT'
  | 'SERVICE_UNAVAILABLE'
  | 'RATE_LIMITED'
  | 'INTERNAL_SERVER_ERROR';

const failure = (code: ErrorCode, message: string, extensions: Record<string, unknown> = {}): GraphQLError =>
  new GraphQLError(message, { extensions: { code, ...extensions } });

/** No token, or one that no longer counts: sign in (again). */
export const unauthenticated = (message = 'A valid access token is required.'): GraphQLError =>
  failure('UNAUTHENTICATED', message);

/** The token is good but doesn't reach this far. `scopes`: any one of them would. */
export const forbidden = (scopes: readonly string[] = []): GraphQLError =>
  failure(
    'FORBIDDEN',
    scopes.length > 0
      ? `This requires ${scopes.length > 1 ? 'one of the scopes' : 'the scope'} ${scopes.join(', ')}.`
      : 'The access token does not allow this.',
    scopes.length > 0 ? { scopes: [...scopes] } : {},
  );

/** The token is a tenant's, and the field is open to the platform's own only: no scope would change that. */
export const platformOnly = (): GraphQLError =>
  failure('FORBIDDEN', 'This requires a token of the platform. Tokens of tenants are rejected.');

/**
 * The user must sign in again with stronger or more recent authentication (RFC 9470). `acrValues` and
 * `maxAge` are parameters for the authorization endpoint.
 */
export const insufficientUserAuthentication = (required: {
  acrValues?: readonly string[];
  maxAge?: number;
}): GraphQLError =>
  failure('INSUFFICIENT_USER_AUTHENTICATION', 'This requires a recent sign-in.', {
    ...(required.acrValues ? { acrValues: [...required.acrValues] } : {}),
    ...(required.maxAge === undefined ? {} : { maxAge: required.maxAge }),
  });

/** The object is not in the caller's tenant; the same error whether or not it exists elsewhere. */
export const notFound = (what: string): GraphQLError => failure('NOT_FOUND', `${what} was not found.`);

/** An argument can't be right. `details` are for programs, e.g. `{ argument: 'first' }`. */
export const badUserInput = (message: string, details: Record<string, unknown> = {}): GraphQLError =>
  failure('BAD_USER_INPUT', message, details);

/** The change conflicts with existing data: a name in use, a later version. */
export const conflict = (message: string, details: Record<string, unknown> = {}): GraphQLError =>
  failure('CONFLICT', message, details);

/** A dependency of this field is unavailable; the request may be retried later. */
export const unavailable = (message = 'This part of the service is not available right now.'): GraphQLError =>
  failure('SERVICE_UNAVAILABLE', message);

/** The caller has used up its budget. `retryAfter`: seconds until it is whole again. */
export const rateLimited = (retryAfter: number): GraphQLError =>
  failure('RATE_LIMITED', `Rate limit exceeded: retry in ${retryAfter} seconds.`, {
    retryAfter,
    http: { status: 429, headers: new HeaderMap([['retry-after', String(retryAfter)]]) },
  });

/** Response for an internal failure, without details. */
export const internalError = (): GraphQLError =>
  failure('INTERNAL_SERVER_ERROR', 'Something went wrong on our side.');
