import type { TokenVerifier } from '@ostiary/access';
import { createHttp, type ServiceKit } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { edge } from './edge/proxy.ts';
import { graphEndpoint } from './graph/endpoint.ts';
import { graphMetadata } from './graph/metadata.ts';
import { indexPage } from './index-page.ts';
import { watchReadiness } from './readiness.ts';
import { createUpstreams, type ServiceName } from './upstream.ts';

export interface GatewayOptions {
  kit: ServiceKit;
  verifier: TokenVerifier;
  publicOrigin: string;
  trustedProxies?: readonly string[];
  /** Where each service listens. */
  origins: Readonly<Record<ServiceName, string>>;
  supergraphSdl: string;
  introspection: boolean;
  subgraphTimeoutMs: number;
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
  const app = createHttp(kit, options.trustedProxies ? { trustedProxies: options.trustedProxies } : {});
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
      onLoaded: supergraphLoaded,
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
  await app.register(graphMetadata(publicOrigin));
  await app.register(indexPage(publicOrigin));
  return app;
}
