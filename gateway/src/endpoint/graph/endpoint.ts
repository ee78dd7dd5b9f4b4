import type { TokenVerifier } from '@ostiary/access';
import { isPublicTenant } from '@ostiary/access';
import {
  answer,
  authenticateGraph,
  badRequest,
  forbidden,
  graphErrorHandler,
  graphHandler,
  type OperationSpan,
  type TenantParams,
} from '@ostiary/graph';
import { inflateBodies, type Logger, wasForwarded } from '@ostiary/service';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import { type Admission, refuseCrossSite } from '../../admission/graph/admission.ts';
import { callerOf } from '../../admission/index.ts';
import type { GatewayContext } from '../../execution/graph/context.ts';
import { GraphOverHttp } from '../../execution/graph/graph-over-http.ts';
import type { ServedGraph } from '../../execution/graph/served-graph.ts';

/** Hooks that decide which other origins may read responses. */
interface CrossOriginHooks {
  readonly onRequest: onRequestAsyncHookHandler;
  readonly preHandler: preHandlerAsyncHookHandler;
}

export interface GraphEndpointOptions {
  verifier: TokenVerifier;
  publicOrigin: string;
  graph: ServedGraph;
  admission: Admission;
  crossOrigin: CrossOriginHooks;
  /** Handles requests for event streams; returns false for other requests. Without it there are no subscriptions. */
  eventStream?: EventStreamHandler | undefined;
  /** Whether GraphiQL is served; browsers that open the address of the graph are redirected there. Default false. */
  graphiql?: boolean;
}

type EventStreamHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

/** Maximum size of a request body in bytes, after it was inflated. */
const bodyLimit = 262_144;

/**
 * Serves the federated graph at `/graphql`, and at `/t/{tenant}/graphql` for tokens of that tenant: POST, and GET for
 * queries (GraphQL over HTTP).
 */
export function graphEndpoint(options: GraphEndpointOptions): FastifyPluginAsync {
  const { verifier, publicOrigin, graph, admission, crossOrigin, eventStream, graphiql = false } = options;
  return async (app: FastifyInstance) => {
    const { execute } = new GraphOverHttp(graph);
    inflateBodies(app, bodyLimit);
    readForms(app);
    for (const url of ['/graphql', '/t/:tenant/graphql']) {
      app.route({
        method: ['GET', 'POST'],
        url,
        bodyLimit,
        exposeHeadRoute: false,
        errorHandler: graphErrorHandler,
        onRequest: [...(graphiql ? [sendBrowsersToGraphiql] : []), requireTenant, crossOrigin.onRequest],
        preHandler: [
          authenticateGraph(verifier, publicOrigin),
          keepOperatorInside,
          crossOrigin.preHandler,
          refuseCrossSite,
          requireJson,
          admission.preHandler,
          ...(eventStream ? [answerEventStreams(eventStream)] : []),
        ],
        handler: graphHandler(execute, contextOf),
      });
      app.route({
        method: ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'],
        url,
        onRequest: [requireTenant, crossOrigin.onRequest],
        handler: refuseMethod,
      });
    }
  };
}

/** Redirects a browser that opens the address of the graph without a query to GraphiQL. */
const sendBrowsersToGraphiql: onRequestAsyncHookHandler = async ({ method, headers, raw }, reply) => {
  const isPage = method === 'GET' && headers.accept?.includes('text/html') === true;
  if (isPage && raw.url?.includes('?') === false) return reply.redirect('/graphiql', 302);
};

const answerEventStreams =
  (eventStream: EventStreamHandler): preHandlerAsyncHookHandler =>
  async (request, reply) => {
    if (await eventStream(request, reply)) return reply;
  };

/** Tokens of the platform are used only inside the installation. One that arrives through a proxy has leaked. */
const keepOperatorInside: preHandlerAsyncHookHandler = async (request, reply) => {
  if (request.principal?.kind === 'service' && wasForwarded(request.raw)) {
    return answer(reply, 403, forbidden());
  }
};

const refuseMethod = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  answer(
    reply.header('allow', 'GET, POST'),
    405,
    badRequest('Send operations with POST, or queries with GET.'),
  );

const contextOf = (request: FastifyRequest, span: OperationSpan): GatewayContext => ({
  principal: request.principal,
  caller: callerOf(request.principal, request.ip),
  authorization: request.principal ? request.headers.authorization : undefined,
  authenticated: request.principal !== undefined,
  log: request.log as Logger,
  requestId: request.id,
  span,
  addressed: (request.params as TenantParams).tenant,
  startedAt: performance.now(),
  attempt: {},
});

/**
 * A form is not an operation, but its token counts: with another one in the header, the request is rejected (RFC 6750
 * §2).
 */
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
    return answer(reply, 415, badRequest('Operations must be sent as application/json.'));
  }
};
