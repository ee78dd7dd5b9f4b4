import type { TokenVerifier } from '@ostiary/access';
import { clientAddress, createHttp, type ServiceKit } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { noWebOrigins } from './cors/domain/web-origins.ts';
import { CrossOrigin } from './cors/http/cross-origin.ts';
import { indexPage } from './edge/http/index-page.ts';
import { edge } from './edge/http/proxy.ts';
import { type GraphGuards, graphEndpoint } from './endpoint/http/endpoint.ts';
import { graphiql } from './endpoint/http/graphiql.ts';
import { graphMetadata } from './endpoint/http/metadata.ts';
import type { ServedGraph } from './federation/graph/served-graph.ts';
import type { Live } from './subscriptions/http/live.ts';
import { watchReadiness } from './upstreams/domain/readiness.ts';
import { createUpstreams, type ServiceName } from './upstreams/domain/upstream.ts';

export interface GatewayOptions {
  kit: ServiceKit;
  verifier: TokenVerifier;
  publicOrigin: string;
  trustedProxies?: readonly string[];
  /** Where each service listens. */
  origins: Readonly<Record<ServiceName, string>>;
  supergraphSdl: string;
  introspection: boolean;
  /** Subscriptions; without it there are none. */
  live?: Live;
  /** Pages of which other origins may use the graph; nobody's by default. */
  crossOrigin?: CrossOrigin;
  /** Milliseconds a subgraph may take, or each of them. */
  subgraphTimeoutMs: number | Readonly<Record<ServiceName, number>>;
  /** What clients of the graph may ask for, and how much of it. */
  guards?: GraphGuards;
  /** Serve GraphiQL at /graphiql. */
  graphiql?: boolean;
  /** Called once, with what may replace the supergraph later. */
  onGraph?: (graph: ServedGraph) => void;
  /** This process's own tokens for the services behind it. */
  voucherFor?: (service: ServiceName) => () => Promise<string>;
  /** Largest SCIM request body in bytes; the provisioning service has the same limit. */
  scimBodyLimit: number;
  /** Milliseconds a service may take until its answer at the edge begins. */
  edgeTimeoutMs?: number;
}

/** Nothing that OAuth or OpenID Connect sends comes near this many bytes. */
const oauthBodyLimit = 1_048_576;

/** The gateway: the federated graph, and the edge in front of the services' REST surfaces. */
export async function createGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const { kit, publicOrigin, verifier } = options;
  const upstreams = createUpstreams(options.origins);
  const app = createHttp(kit, {
    publicOrigin,
    ...(options.trustedProxies ? { trustedProxies: options.trustedProxies } : {}),
  });
  const crossOrigin = options.crossOrigin ?? new CrossOrigin({ publicOrigin, webOrigins: noWebOrigins });
  const supergraphLoaded = watchReadiness(kit, upstreams);

  app.addHook('onClose', async () => {
    await Promise.all(Object.values(upstreams).map(({ pool }) => pool.close()));
  });
  await app.register(
    graphEndpoint({
      kit,
      verifier,
      publicOrigin,
      upstreams,
      supergraphSdl: options.supergraphSdl,
      introspection: options.introspection,
      subgraphTimeoutMs: options.subgraphTimeoutMs,
      ...(options.voucherFor ? { voucherFor: options.voucherFor } : {}),
      ...(options.guards ? { guards: options.guards } : {}),
      ...(options.live ? { live: options.live } : {}),
      crossOrigin,
      onLoaded: (graph) => {
        supergraphLoaded();
        options.onGraph?.(graph);
      },
    }),
  );
  await app.register(
    edge({
      kit,
      publicOrigin,
      upstreams,
      bodyLimits: { auth: oauthBodyLimit, directory: 0, provisioning: options.scimBodyLimit },
      ...(options.edgeTimeoutMs === undefined ? {} : { timeoutMs: options.edgeTimeoutMs }),
    }),
  );
  options.live?.attach(app, clientAddress(options.trustedProxies));
  await app.register(graphMetadata(publicOrigin, crossOrigin));
  if (options.graphiql) await app.register(graphiql(kit.log));
  await app.register(indexPage(publicOrigin));
  return app;
}
