import { HeaderMap, type HTTPGraphQLRequest, type HTTPGraphQLResponse } from '@apollo/server';
import {
  AccessError,
  type ChallengeOptions,
  challengeOptions,
  graphResource,
  insufficientScope,
  type Possession,
  type PresentedToken,
  presentedToken,
  subgraphAudience,
  type TokenVerifier,
} from '@ostiary/access';
import {
  type IsInside,
  isUnavailable,
  logFailure,
  statusOf,
  TooManyRequests,
  wasForwarded,
  withSpan,
} from '@ostiary/service';
import type {
  FastifyError,
  FastifyReply,
  FastifyRequest,
  preHandlerAsyncHookHandler,
  RouteHandlerMethod,
} from 'fastify';
import type { GraphQLError } from 'graphql';
import { graphPrincipal } from '../authorization/principal.ts';
import type { OperationSpan } from '../context/context.ts';
import {
  badUserInput,
  type ErrorCode,
  forbidden,
  internalError,
  rateLimited,
  unauthenticated,
  unavailable,
} from '../errors/errors.ts';

/** Tenant of the URL of the graph; undefined at the URL for all tenants. */
export interface TenantParams {
  tenant?: string;
}

/**
 * Header with the service token by which the gateway vouches to a subgraph that it verified a proof of
 * possession.
 */
export const possessionHeader = 'x-ostiary-possession';

/**
 * Verifies the access token before the operation is parsed and sets `request.principal`. Without a token the
 * request continues, and each field requires one itself. A rejected token ends the request with 401 and
 * `WWW-Authenticate` (RFC 6750 §3), as a GraphQL error. A tenant's own URL rejects tokens of other tenants.
 * @param subgraph name of the service if this is a subgraph. Proofs of possession (RFC 9449) are for the
 * public URL and for one request, so only the gateway can verify them; a subgraph accepts a bound token only
 * from the gateway.
 * @param isInside whether a request comes from an Ostiary process, which a forwarded one with a platform
 * token must
 */
export function authenticateGraph(
  verifier: TokenVerifier,
  publicOrigin: string,
  subgraph?: string,
  isInside: IsInside = () => true,
): preHandlerAsyncHookHandler {
  return async (request, reply) => {
    const { tenant } = request.params as TenantParams;
    try {
      const presented = presentedToken(request, reply);
      if (presented !== undefined) {
        const possession =
          subgraph === undefined
            ? presented
            : await vouchedPossession(request, presented, verifier, subgraph);
        request.principal = await graphPrincipal(verifier, presented.token, {
          publicOrigin,
          addressed: tenant,
          possession,
        });
        if (request.principal.kind === 'service' && wasForwarded(request.raw) && !isInside(request.raw))
          throw insufficientScope([]);
      }
    } catch (error) {
      if (error instanceof AccessError) {
        return refuse(
          reply,
          error,
          publicOrigin,
          challengeOptions(request, verifier, graphResource(publicOrigin, tenant)),
        );
      }
      throw error;
    }
  };
}

/** @throws AccessError unless the gateway's own token comes with a bound one */
async function vouchedPossession(
  request: FastifyRequest,
  presented: PresentedToken,
  verifier: TokenVerifier,
  subgraph: string,
): Promise<Possession | undefined> {
  const voucher = request.headers[possessionHeader];
  if (presented.scheme === 'Bearer' || typeof voucher !== 'string') return undefined;
  const voucherOf = await verifier.verify(voucher, {
    audience: subgraphAudience(subgraph),
    issuers: 'platform',
  });
  if (voucherOf.clientId !== 'gateway') throw insufficientScope([]);
  return 'vouched';
}

function refuse(
  reply: FastifyReply,
  error: AccessError,
  realm: string,
  challenge: ChallengeOptions,
): FastifyReply {
  reply.header('www-authenticate', error.wwwAuthenticate(realm, challenge));
  if (error.statusCode === 400) return answer(reply, 400, badRequest(error.description));
  if (error.statusCode === 403) return answer(reply, 403, forbidden());
  return answer(reply, 401, unauthenticated(error.description));
}

/** Answers with a GraphQL response that holds one error and no data: the request was never executed. */
export function answer(reply: FastifyReply, status: number, error: GraphQLError): FastifyReply {
  // Apollo Server's HTTP options are not part of the error.
  const { http: _, ...extensions } = error.extensions;
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ errors: [{ message: error.message, extensions }] }));
}

/**
 * Returns a Fastify handler that executes requests within a span of its own.
 * @param attributes of the span
 */
export function graphHandler<C>(
  execute: (request: FastifyRequest, context: C) => Promise<HTTPGraphQLResponse>,
  contextOf: (request: FastifyRequest, span: OperationSpan) => C,
  attributes: Record<string, string> = {},
): RouteHandlerMethod {
  return (request, reply) =>
    withSpan('graphql', { attributes }, async (span) => {
      // The response depends on the token.
      reply.header('cache-control', 'no-store');
      const { status = 200, headers, body } = await execute(request, contextOf(request, span));
      for (const [name, value] of headers) reply.header(name, value);
      reply.code(status);
      // Incremental delivery is not enabled, so that a body is always complete.
      return body.kind === 'complete' ? body.string : '';
    });
}

/** Returns a request in the form that Apollo Server takes. */
export function httpRequestOf(request: FastifyRequest): HTTPGraphQLRequest {
  const query = request.url.indexOf('?');
  return {
    method: request.method,
    headers: headersOf(request),
    search: query === -1 ? '' : request.url.slice(query),
    body: request.body,
  };
}

/** The headers that Apollo Server looks at, those of its check for requests without a preflight included. */
const readHeaders = ['accept', 'content-type', 'x-apollo-operation-name', 'apollo-require-preflight'];

function headersOf({ headers: sent }: FastifyRequest): HeaderMap {
  const headers = new HeaderMap();
  for (const name of readHeaders) {
    const value = sent[name];
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return headers;
}

/** Failures before execution (unreadable JSON, too large, wrong media type) in the shape of a GraphQL response. */
export function graphErrorHandler(
  error: FastifyError | TooManyRequests,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const status = isUnavailable(error) ? 503 : statusOf(error);
  if (error instanceof TooManyRequests) {
    return answer(reply.header('retry-after', String(error.retryAfter)), 429, rateLimited(error.retryAfter));
  }
  if (status < 500) return answer(reply, status, badRequest(error.message));
  logFailure(request, error, status);
  if (status === 503) return answer(reply.header('retry-after', '1'), 503, unavailable());
  const failure = internalError();
  failure.extensions.requestId = request.id;
  return answer(reply, 500, failure);
}

/** A request that is no GraphQL request at all. */
export const badRequest = (message: string): GraphQLError => {
  const error = badUserInput(message);
  error.extensions.code = 'BAD_REQUEST';
  return error;
};

/** Reports whether a response requires a (new) token. */
export const needsAuthentication = (
  errors: readonly { extensions?: Record<string, unknown> }[] | undefined,
): boolean =>
  errors?.some((error) => error.extensions?.code === ('UNAUTHENTICATED' satisfies ErrorCode)) ?? false;
