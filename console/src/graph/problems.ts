import { CombinedGraphQLErrors, ServerError } from '@apollo/client';

/** A problem in the payload of a mutation. */
export interface Problem {
  code: string;
  message: string;
  path?: readonly string[];
  attribute?: string | null;
  currentVersion?: number | null;
}

/** Cause of a failed operation. */
export type Failure =
  | { kind: 'offline' }
  | { kind: 'forbidden'; scopes: string | undefined }
  | { kind: 'unavailable'; services: readonly string[] }
  | { kind: 'limited' }
  | { kind: 'authentication' }
  | { kind: 'other'; message: string };

export function failureOf(error: unknown): Failure {
  if (CombinedGraphQLErrors.is(error)) return ofErrors(error.errors);
  if (ServerError.is(error))
    return error.statusCode === 429
      ? { kind: 'limited' }
      : error.statusCode >= 500
        ? { kind: 'unavailable', services: [] }
        : { kind: 'other', message: error.message };
  if (error instanceof TypeError) return { kind: 'offline' };
  return { kind: 'other', message: error instanceof Error ? error.message : String(error) };
}

function ofErrors(errors: CombinedGraphQLErrors['errors']): Failure {
  const coded = (code: string) => errors.filter(({ extensions }) => extensions?.code === code);
  const [unavailable] = [coded('SERVICE_UNAVAILABLE')];
  if (unavailable.length > 0) {
    const services = unavailable.flatMap(({ extensions }) =>
      typeof extensions?.service === 'string' ? [extensions.service] : [],
    );
    return { kind: 'unavailable', services: [...new Set(services)] };
  }
  if (coded('RATE_LIMITED').length > 0) return { kind: 'limited' };
  if (coded('INSUFFICIENT_USER_AUTHENTICATION').length > 0) return { kind: 'authentication' };
  const [forbidden] = coded('FORBIDDEN');
  if (forbidden) return { kind: 'forbidden', scopes: scopesIn(forbidden.extensions) };
  return { kind: 'other', message: errors[0]?.message ?? '' };
}

const scopesIn = (extensions: Record<string, unknown> | undefined): string | undefined => {
  const { scopes, requiredScopes } = extensions ?? {};
  const named = scopes ?? requiredScopes;
  return Array.isArray(named) ? named.join(', ') : undefined;
};

/** Returns the message of the first problem, or the given text for a version conflict. */
export const problemText = (problems: readonly Problem[], conflict: string): string | undefined => {
  const [problem] = problems;
  return problem?.code === 'VERSION_CONFLICT' ? conflict : problem?.message;
};
