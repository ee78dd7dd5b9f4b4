import { unwrapResolverError } from '@apollo/server/errors';
import { isUnavailable } from '@ostiary/service';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { internalError, unavailable } from './errors.ts';

/** Turns a domain error into one of the catalogue; `undefined` leaves it to the masking. */
export type ErrorMapping = (cause: unknown) => GraphQLError | undefined;

// Other `extensions` (addresses, response bodies, stack traces) are removed.
const shownExtensions = [
  'code',
  'scopes',
  'argument',
  'field',
  'version',
  'requestId',
  'retryAfter',
  'acrValues',
  'maxAge',
  'service',
] as const;

/** Codes with messages for clients: Ostiary's, and Apollo Server's for requests that cannot be executed. */
const shownCodes = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'INSUFFICIENT_USER_AUTHENTICATION',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'SERVICE_UNAVAILABLE',
  'BAD_REQUEST',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'PERSISTED_QUERY_NOT_IN_LIST',
  'PERSISTED_QUERY_ID_REQUIRED',
  'RATE_LIMITED',
]);

/** Reports whether errors with this code are shown to clients. Others are masked and logged. */
export const isShownCode = (code: unknown): boolean => typeof code === 'string' && shownCodes.has(code);

/**
 * Returns Apollo Server's `formatError`: passes errors of the catalogue, distinguishes unavailable
 * dependencies from internal failures, and replaces the rest by INTERNAL_SERVER_ERROR.
 */
export function maskError(mapping: ErrorMapping = () => undefined) {
  return (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const cause = unwrapResolverError(error);
    const mapped = cause instanceof GraphQLError ? undefined : mapping(cause);
    if (mapped) return shown(formatted, mapped.message, mapped.extensions);
    if (isUnavailable(cause)) return shown(formatted, unavailable().message, unavailable().extensions);
    if (isShownCode(formatted.extensions?.code)) {
      return shown(formatted, formatted.message, formatted.extensions ?? {});
    }
    return shown(formatted, internalError().message, internalError().extensions);
  };
}

function shown(
  formatted: GraphQLFormattedError,
  message: string,
  extensions: Readonly<Record<string, unknown>>,
): GraphQLFormattedError {
  return {
    message,
    ...(formatted.locations ? { locations: formatted.locations } : {}),
    ...(formatted.path ? { path: formatted.path } : {}),
    extensions: Object.fromEntries(
      shownExtensions.flatMap((name) => (extensions[name] === undefined ? [] : [[name, extensions[name]]])),
    ),
  };
}
