import type { ApolloServerPlugin } from '@apollo/server';
import type { TokenVerifier } from '@ostiary/access';
import {
  answer,
  authenticateGraph,
  badRequest,
  createGraphServer,
  type DocumentLimits,
  documentLimits,
  graphErrorHandler,
  graphHandler,
  type HeaderSink,
  listSizesIn,
  type OperationSpan,
  operationObserver,
  type TenantParams,
} from '@ostiary/graph';
import { Counter, currentRequestId, type Logger, type Redis, type ServiceKit } from '@ostiary/service';
import { Rates } from '@ostiary/service/rates';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyRequest,
  onRequestAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import { GraphQLError, type GraphQLFormattedError, OperationTypeNode, parse } from 'graphql';
import { persistedQueries } from '../../admission/data/persisted-queries.ts';
import type { TrustedDocuments } from '../../admission/graph/trusted-documents.ts';
import { Admission, callerOf, refuseCrossSite } from '../../admission/http/admission.ts';
import type { CrossOrigin } from '../../cors/http/cross-origin.ts';
import { isPublicTenant } from '../../edge/domain/route.ts';
import { KnownOperations } from '../../fast-path/graph/operation-cache.ts';
import type { GatewayContext } from '../../federation/graph/context.ts';
import { createFederation } from '../../federation/graph/federation.ts';
import { type Candidate, ServedGraph } from '../../federation/graph/served-graph.ts';
import { ReferencesGone } from '../../subgraphs/graph/dangling-references.ts';
import { SubgraphSource } from '../../subgraphs/graph/subgraph-source.ts';
import type { Live } from '../../subscriptions/http/live.ts';
import { type ServiceName, serviceNames, type Upstreams } from '../../upstreams/domain/upstream.ts';
import { KnownOverHttp, overHttp } from './over-http.ts';

export interface GraphEndpointOptions {
  kit: ServiceKit;
  verifier: TokenVerifier;
  publicOrigin: string;
  upstreams: Upstreams;
  supergraphSdl: string;
  introspection: boolean;
  /** Milliseconds a subgraph may take, or each of them. */
  subgraphTimeoutMs: number | Readonly<Record<ServiceName, number>>;
  /** Largest subgraph answer in bytes. */
  answerLimit?: number;
  /** This process's own tokens for the services, with which it vouches for proofs of possession it has checked. */
  voucherFor?: (service: ServiceName) => () => Promise<string>;
  /** What clients may ask for, and how much of it. */
  guards?: GraphGuards;
  /** Subscriptions; without it there are none. */
  live?: Live | undefined;
  /** Pages of which other origins may use it. */
  crossOrigin: CrossOrigin;
  /** Called once, with what may replace the supergraph later. */
  onLoaded: (graph: ServedGraph) => void;
}

/** What clients may ask for, and how much of it. Where nothing is said: anything, within the document limits. */
export interface GraphGuards {
  limits?: DocumentLimits;
  /** Cost points a caller has in a minute; undefined: no limit. */
  pointsPerMinute?: number | undefined;
  /** Where budgets and persisted queries are shared between gateways. */
  redis?: Redis | undefined;
  prefix?: string;
  persistedQueries?: boolean;
  documents?: TrustedDocuments | undefined;
  /** Execute trusted documents only. */
  documentsOnly?: boolean;
}

/** Largest operation a client may send. */
const bodyLimit = 262_144;

/** Without a token only the schema is open: a small part of a caller's points is plenty. */
const anonymousShare = 50;

/**
 * Serves the federated graph at `/graphql`, and at `/t/{tenant}/graphql` for tokens of that tenant: POST, and GET for
 * queries (GraphQL over HTTP).
 */
export function graphEndpoint(options: GraphEndpointOptions): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    const guards = options.guards ?? {};
    const admission = admissionOf(guards, options.kit);
    const graph = new ServedGraph({
      kit: options.kit,
      build: candidates(options, guards, admission),
      ...(guards.documents ? { objections: guards.documents.problemsWith } : {}),
    });
    await graph.load(options.supergraphSdl);
    app.addHook('onClose', () => graph.stop());
    options.onLoaded(graph);
    serveLive(options, graph, admission);

    const known = new KnownOverHttp(graph);
    readForms(app);
    const { crossOrigin } = options;
    for (const url of ['/graphql', '/t/:tenant/graphql']) {
      app.route({
        method: ['GET', 'POST'],
        url,
        bodyLimit,
        exposeHeadRoute: false,
        errorHandler: graphErrorHandler,
        onRequest: [requireTenant, crossOrigin.onRequest],
        preHandler: [
          authenticateGraph(options.verifier, options.publicOrigin),
          crossOrigin.preHandler,
          refuseCrossSite,
          requireJson,
          admission.preHandler,
          ...(options.live ? [eventStream(options.live)] : []),
        ],
        handler: graphHandler(overHttp(known.learning(graph)), contextOf, { first: known.answer }),
      });
      app.route({
        method: ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'],
        url,
        onRequest: [requireTenant, crossOrigin.onRequest],
        handler: (_request, reply) =>
          answer(
            reply.header('allow', 'GET, POST'),
            405,
            badRequest('Operations are sent by POST, or queries by GET.'),
          ),
      });
    }
  };
}

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

/** Events have no headers. */
const unseen: HeaderSink = { set: () => undefined };

/** Events are put together by the same graph, with the rights of whoever subscribed and out of their budget. */
function serveLive(
  { live, kit, guards }: GraphEndpointOptions,
  graph: ServedGraph,
  admission: Admission,
): void {
  if (!live) return;
  live.connect({
    limits: guards?.limits ?? documentLimits,
    admit: (sent, by) => admission.operation(sent, by),
    async ask({ query, variables }, { principal, authorization, requestId }) {
      const contextValue: GatewayContext = {
        principal,
        caller: callerOf(principal, ''),
        authorization,
        authenticated: true,
        log: kit.log,
        requestId,
        span: undefined,
        startedAt: performance.now(),
        attempt: {},
      };
      const known = await graph.answerKnown({ query, variables }, contextValue, unseen);
      if (known) return known;
      const { body } = await graph.executeOperation({ query, variables: { ...variables } }, { contextValue });
      return body.kind === 'single' ? body.singleResult : {};
    },
  });
  graph.onSchema((schema, supergraphSdl) => live.schemaChanged(schema, supergraphSdl));
}

const eventStream =
  (live: Live): preHandlerAsyncHookHandler =>
  async (request, reply) => {
    if (await live.eventStream(request, reply)) return reply;
  };

function admissionOf(guards: GraphGuards, { log }: ServiceKit): Admission {
  const { pointsPerMinute, redis, prefix = 'ostiary' } = guards;
  return new Admission({
    documents: guards.documents,
    documentsOnly: guards.documentsOnly ?? false,
    ...(pointsPerMinute === undefined
      ? {}
      : {
          budget: {
            rates: new Rates({ name: 'graph-rate', redis, prefix, log, leases: 200 }),
            points: pointsPerMinute,
            anonymousPoints: Math.max(1, Math.floor(pointsPerMinute / anonymousShare)),
          },
        }),
  });
}

/** Makes servers over one supergraph after the other. What counts and remembers is shared between them. */
function candidates(
  options: GraphEndpointOptions,
  guards: GraphGuards,
  admission: Admission,
): (supergraphSdl: string) => Candidate {
  const { kit } = options;
  const source = subgraphSources(options);
  const referencesGone = new ReferencesGone();
  const observer = operationObserver(
    { kit, realm: options.publicOrigin, dpop: options.verifier.dpop ?? false },
    (context: GatewayContext) => context,
  );
  const plugins = [showMissingValues(referencesGone), requireOperation(), observer.plugin];
  const shared =
    (guards.persistedQueries ?? true) && !guards.documentsOnly
      ? persistedQueries({ redis: guards.redis, prefix: guards.prefix ?? 'ostiary', log: kit.log })
      : undefined;
  return (supergraphSdl) => {
    options.live?.examine(supergraphSdl);
    const { introspection } = options;
    const { gateway, schema, plans } = createFederation({
      supergraphSdl,
      source,
      referencesGone,
      introspection,
      log: kit.log,
    });
    // The schema for clients has lost them.
    const listSizes = listSizesIn(parse(supergraphSdl, { noLocation: true }));
    const known = new KnownOperations({
      plans,
      costed: () => ({ schema: schema(), listSizes }),
      limit: (guards.limits ?? documentLimits).cost,
      spend: admission.spend,
      onAnswered: observer.answered,
    });
    const server = createGraphServer<GatewayContext>({
      source: { gateway },
      introspection,
      kit,
      ...(guards.limits ? { limits: guards.limits } : {}),
      listSizes,
      persistedQueries: shared,
      spend: admission.spend,
      // Its check asks for a header of Apollo's own; ours reads what browsers say of themselves (refuseCrossSite), and
      // POST is held to JSON below.
      csrfPrevention: false,
      plugins: [...plugins, known.plugin],
    });
    return { server, schema, known };
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
      timeoutMs:
        typeof options.subgraphTimeoutMs === 'number'
          ? options.subgraphTimeoutMs
          : options.subgraphTimeoutMs[name],
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
 * its own. Clients look for errors in `errors`; what refers to something that is no more is null and no error.
 */
function showMissingValues(referencesGone: ReferencesGone): ApolloServerPlugin<GatewayContext> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response, contextValue }) {
          if (response.body.kind !== 'single') return;
          const result = response.body.singleResult;
          const incomplete = result.extensions?.valueCompletion as
            | readonly GraphQLFormattedError[]
            | undefined;
          if (!incomplete) return;
          delete result.extensions;
          const missing = incomplete.filter(
            ({ path }) => !referencesGone.explain(contextValue, result.data, path),
          );
          if (missing.length === 0) return;
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

/**
 * What can't be executed by answering once: a document of which no operation is meant, and a subscription, which goes on.
 * The planner would call the first a failure of ours.
 */
function requireOperation(): ApolloServerPlugin<GatewayContext> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ operation, request }) {
          if (!operation) {
            const { operationName } = request;
            throw new GraphQLError(
              operationName
                ? 'The document has no operation of this name.'
                : 'Say which operation by operationName.',
              { extensions: { code: 'OPERATION_RESOLUTION_FAILURE', http: { status: 400 } } },
            );
          }
          if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
            const error = badRequest('Subscriptions need Accept: text/event-stream, or a WebSocket.');
            error.extensions.http = { status: 400 };
            throw error;
          }
        },
      };
    },
  };
}
