/** Adapter for Apollo Server 5. */
import { GraphQLError } from 'graphql';
import type { Rule } from './options.ts';
import type { Verify } from './ostiary.ts';
import type { Principal } from './principal.ts';
import { VerificationError } from './rejections/verification-error.ts';
import type { TokenSource } from './tokens/presented-token.ts';

/** Context of operations behind `requireToken`. */
export interface ProtectedContext {
  principal: Principal;
}

/**
 * Returns the `context` function of a server whose operations all require a valid access token. It is for
 * `startStandaloneServer` and for every integration that passes the request as `req`.
 */
export const requireToken =
  (verify: Verify, rule?: Rule) =>
  async ({ req }: { req: TokenSource & object }): Promise<ProtectedContext> => {
    try {
      return { principal: await verify(req, rule) };
    } catch (error) {
      throw graphqlError(error);
    }
  };

/**
 * Requires a rule in a resolver.
 * @throws GraphQLError
 */
export function requireRule(verify: Verify, principal: Principal | undefined, rule: Rule = {}): void {
  try {
    verify.requireRule(principal, rule);
  } catch (error) {
    throw graphqlError(error);
  }
}

/** Apollo Server removes `http` from the response, and applies it to status and headers. */
function graphqlError(error: unknown): unknown {
  if (!(error instanceof VerificationError)) return error;
  const { status, headers, body } = error;
  return new GraphQLError(error.message, {
    originalError: error,
    extensions: {
      code: codes[status],
      error: body.error,
      http: { status, headers: new Map(Object.entries(headers)) },
    },
  });
}

/** Codes of Apollo Server and of Ostiary's own graph. */
const codes: Record<VerificationError['status'], string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  503: 'SERVICE_UNAVAILABLE',
};
