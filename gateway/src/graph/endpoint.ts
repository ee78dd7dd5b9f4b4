import type { ApolloServerPlugin } from '@apollo/server';
import type { Principal, TokenVerifier } from '@ostiary/access';
import {
  answer,
  authenticateGraph,
  badRequest,
  createGraphServer,
  graphErrorHandler,
  graphHandler,
  type ObservedContext,
  observeOperations,
  type TenantParams,
} from '@ostiary/graph';
import { Counter, currentRequestId, type Logger, type ServiceKit } from '@ostiary/service';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  onRequestAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import { isPublicTenant } from '../edge/route.ts';
import { type ServiceName, serviceNames, type Upstreams } from '../upstream.ts';
import { createFederation, type FederationContext } from './federation.ts';
import { SubgraphSource } from './subgraph-source.ts';

export interface GraphEndpointOptions {
  kit: ServiceKit;
  verifier: TokenVerifier;
  publicOrigin: string;
  upstreams: Upstreams;
  supergraphSdl: string;
  introspection: boolean;
  /** Milliseconds a subgraph may take. */
  subgraphTimeoutMs: number;
  /** Largest subgraph answer in bytes. */
  answerLimit?: number;
  /** This process's own tokens for the services, with which it vouches for proofs of possession it has checked. */
  voucherFor?: (service: ServiceName) => () => Promise<string>;
  onLoaded: () => void;
}

interface GatewayContext extends FederationContext, ObservedContext {
  readonly principal: Principal | undefined;
}

/** Largest operation a client may send. */
const bodyLimit = 262_144;

/**
 * Serves the federated graph at `/graphql`, and at `/t/{tenant}/graphql` for tokens of that tenant: POST, and GET for
 * queries (GraphQL over HTTP).
 */
export function graphEndpoint(options: GraphEndpointOptions): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    const { gateway } = createFederation({
      supergraphSdl: options.supergraphSdl,
      source: subgraphSources(options),
      log: options.kit.log,
    });
    const server = createGraphServer<GatewayContext>({
      source: { gateway },
      introspection: options.introspection,
      kit: options.kit,
      // Nothing here acts on cookies, so a cross-site page can do no more with a GET than anyone without a token; and
      // POST is held to JSON below, which browsers don't send across sites without asking first.
      csrfPrevention: false,
      plugins: [
        showMissingValues(),
        observeOperations(
          { kit: options.kit, realm: options.publicOrigin, dpop: options.verifier.dpop ?? false },
          (context) => context,
        ),
      ],
    });
    await server.start();
    app.addHook('onClose', () => server.stop());
    options.onLoaded();

    readForms(app);
    for (const url of ['/graphql', '/t/:tenant/graphql']) {
      app.route({
        method: ['GET', 'POST'],
        url,
        bodyLimit,
        exposeHeadRoute: false,
        errorHandler: graphErrorHandler,
        onRequest: requireTenant,
        preHandler: [authenticateGraph(options.verifier, options.publicOrigin), requireJson],
        handler: graphHandler(server, (request, span) => ({
          principal: request.principal,
          authorization: request.principal ? request.headers.authorization : undefined,
          authenticated: request.principal !== undefined,
          log: request.log as Logger,
          requestId: request.id,
          span,
          addressed: (request.params as TenantParams).tenant,
        })),
      });
    }
  };
}

/** Forms are no operations, but a token in one counts: with another in the header the request is refused for that. */
function readForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => {
      const tokens = new URLSearchParams(body as string).getAll('access_token');
      done(null, tokens.length === 0 ? {} : { access_token: tokens.length === 1 ? tokens[0] : tokens });
    },
  );
}

const requireTenant: onRequestAsyncHookHandler = async (request, reply) => {
  const { tenant } = request.params as TenantParams;
  if (tenant === undefined || isPublicTenant(tenant)) return;
  reply.callNotFound();
  return reply;
};

const requireJson: preHandlerAsyncHookHandler = async (request, reply) => {
  const type = request.headers['content-type'] ?? '';
  if (request.method === 'POST' && !/^application\/json\s*(;|$)/i.test(type)) {
    return answer(reply, 415, badRequest('Operations are sent as application/json.'));
  }
};

function subgraphSources(options: GraphEndpointOptions): (name: string) => SubgraphSource {
  const failures = new Counter({
    name: 'gateway_subgraph_failures_total',
    help: 'Subgraph requests without a usable answer',
    labelNames: ['subgraph'] as const,
    registers: [options.kit.metrics],
  });
  return (name) => {
    if (!isServiceName(name)) throw new Error(`The supergraph names a subgraph that doesn't exist: ${name}`);
    return new SubgraphSource(options.upstreams[name], {
      timeoutMs: options.subgraphTimeoutMs,
      ...(options.answerLimit === undefined ? {} : { answerLimit: options.answerLimit }),
      ...(options.voucherFor ? { voucher: options.voucherFor(name) } : {}),
      onUnavailable: (subgraph, cause) => {
        failures.inc({ subgraph });
        const requestId = currentRequestId();
        options.kit.log.warn({ requestId, subgraph, err: cause }, 'subgraph unavailable');
      },
    });
  };
}

const isServiceName = (name: string): name is ServiceName =>
  (serviceNames as readonly string[]).includes(name);

/**
 * When a value the schema promises is missing from a subgraph's answer, the planner reports it in an extension of
 * its own. Clients look for errors in `errors`.
 */
function showMissingValues(): ApolloServerPlugin<GatewayContext> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response, contextValue }) {
          if (response.body.kind !== 'single') return;
          const result = response.body.singleResult;
          const missing = result.extensions?.valueCompletion as readonly GraphQLFormattedError[] | undefined;
          if (!missing) return;
          delete result.extensions;
          const errors = missing.map(({ path }) => ({
            message: 'This value is missing.',
            ...(path ? { path } : {}),
            extensions: { code: 'INTERNAL_SERVER_ERROR' },
          }));
          result.errors = [...(result.errors ?? []), ...errors];
          const paths = errors.map((error) => error.path?.join('.'));
          contextValue.log.warn(
            { requestId: contextValue.requestId, paths },
            'values missing from a subgraph answer',
          );
        },
      };
    },
  };
}
