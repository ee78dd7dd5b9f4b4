import { graphResource, issuerOf, oauthBodyLimit } from '@ostiary/access';
import { clientAddress, createHttp, fixedHeaders, Observation, version } from '@ostiary/service';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { type GraphOptions, loadGraph } from './composition/graph.ts';
import { applyGuards } from './composition/guards.ts';
import { connectLive } from './composition/live.ts';
import { consolePages, noConsole } from './console/console-pages.http.ts';
import type { ConsoleFiles } from './console/domain/console-file.ts';
import { CrossOrigin } from './cors/cross-origin.http.ts';
import { noWebOrigins } from './cors/web-origins.ts';
import { serveDirectly } from './edge/http/direct.ts';
import { indexPage } from './edge/http/index-page.ts';
import { OperatorPort } from './edge/http/operator-port.ts';
import { Edge } from './edge/http/proxy.ts';
import { serveUpgrades } from './edge/http/upgrades.ts';
import { graphEndpoint } from './endpoint/graph/endpoint.ts';
import { graphiql } from './endpoint/http/graphiql.ts';
import { graphMetadata } from './endpoint/http/metadata.ts';
import type { ServedGraph } from './execution/graph/served-graph.ts';
import type { Live } from './subscriptions/graph/live.ts';
import { Readiness } from './upstreams/domain/readiness.ts';
import { createUpstreams, type ServiceName, type Upstream } from './upstreams/domain/upstream.ts';

export interface GatewayOptions extends GraphOptions {
  trustedProxies?: readonly string[];
  /** Origin of each service. */
  origins: Readonly<Record<ServiceName, string>>;
  /** Decides which other origins may use the graph, default none. */
  crossOrigin?: CrossOrigin;
  /** Whether GraphiQL is served at /graphiql, default false. */
  graphiql?: boolean;
  /** The files of the console and the tenants that it offers, or the reason why it is not served. */
  console?: { files: ConsoleFiles; tenants: readonly string[] } | string;
  /** Called once, with the object that can replace the supergraph later. */
  onGraph?: (graph: ServedGraph) => void;
  /** Maximum size of a SCIM request body in bytes, the same as in the provisioning service. */
  scimBodyLimit: number;
  /** Timeout in milliseconds until a service's response begins. */
  edgeTimeoutMs?: number;
  /** Address of the operator port, default none. */
  operator?: { host: string; port: number } | undefined;
}

/** Creates the gateway: the federated graph and the edge in front of the REST surfaces of the services. */
export async function createGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const { kit, publicOrigin, verifier, live } = options;
  const upstreams = createUpstreams(options.origins);
  const edge = new Edge({
    kit,
    publicOrigin,
    upstreams,
    bodyLimits: { auth: oauthBodyLimit, provisioning: options.scimBodyLimit },
    ...(options.edgeTimeoutMs === undefined ? {} : { timeoutMs: options.edgeTimeoutMs }),
  });
  const { trustedProxies = [] } = options;
  const observation = new Observation(kit);
  const app = createHttp(kit, { publicOrigin, trustedProxies, observation });
  const headers = fixedHeaders(publicOrigin);
  serveDirectly({ app, kit, observation, trustedProxies, headers, surface: edge.direct });
  const crossOrigin = options.crossOrigin ?? new CrossOrigin({ publicOrigin, webOrigins: noWebOrigins });
  const readiness = new Readiness(kit, upstreams);
  app.addHook('onClose', async () => {
    await Promise.all(
      Object.values(upstreams).flatMap(({ pool, holding }) => [pool.close(), holding.close()]),
    );
  });

  const guards = applyGuards(options.guards ?? {}, kit.log);
  const { admission, limits } = guards;
  const graph = await loadGraph(options, upstreams, guards);
  app.addHook('onClose', () => graph.stop());
  readiness.supergraphLoaded();
  options.onGraph?.(graph);
  if (live) connectLive(live, graph, { kit, admission, limits });

  const eventStream = live?.eventStream;
  await app.register(
    graphEndpoint({
      verifier,
      publicOrigin,
      graph,
      admission,
      crossOrigin,
      eventStream,
      graphiql: options.graphiql === true,
    }),
  );
  await app.register(edge.routes);
  if (live) serveWebSockets(app, live, options);
  await app.register(graphMetadata(publicOrigin, crossOrigin));
  if (options.graphiql) await app.register(graphiql(kit.log));
  await app.register(consoleAt(options));
  await app.register(
    indexPage({
      publicOrigin,
      graphiql: options.graphiql === true,
      console: typeof options.console === 'object',
      tenants: typeof options.console === 'object' ? options.console.tenants : [],
    }),
  );
  if (options.operator) await serveOperator(app, upstreams.auth, kit, options.operator);
  return app;
}

function serveWebSockets(app: FastifyInstance, live: Live, { kit, trustedProxies }: GatewayOptions): void {
  const sockets = live.attach(app);
  serveUpgrades({
    app,
    log: kit.log,
    addressOf: clientAddress(trustedProxies),
    accept: (...upgrade) => sockets.upgrade(...upgrade),
  });
}

function consoleAt({
  console = 'No console is served here.',
  publicOrigin,
}: GatewayOptions): FastifyPluginAsync {
  if (typeof console === 'string') return noConsole(console);
  const { files, tenants } = console;
  return consolePages({
    files,
    config: {
      issuerBase: issuerOf(publicOrigin, ''),
      graph: graphResource(publicOrigin),
      clientId: 'console',
      version,
      ...(tenants.length > 0 && { demoTenants: tenants }),
    },
  });
}

async function serveOperator(
  app: FastifyInstance,
  auth: Upstream,
  kit: GatewayOptions['kit'],
  { host, port }: NonNullable<GatewayOptions['operator']>,
): Promise<void> {
  const operator = new OperatorPort({ app, auth, kit });
  app.addHook('preClose', () => operator.close());
  await app.ready();
  await operator.listen(host, port);
}
