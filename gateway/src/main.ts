import { access as exists, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { remoteAccess } from '@ostiary/access';
import { documentLimits } from '@ostiary/graph';
import {
  createRedis,
  HttpPeer,
  type parseEnv,
  type Redis,
  runProcess,
  streamSignatures,
} from '@ostiary/service';
import { readTrustedDocuments } from './admission/graph/trusted-documents.ts';
import { createGateway } from './app.ts';
import { RegisteredWebOrigins } from './cors/domain/web-origins.ts';
import { CrossOrigin } from './cors/http/cross-origin.ts';
import type { GraphGuards } from './endpoint/http/endpoint.ts';
import { env as specification, subgraphTimeouts } from './env.ts';
import { SupergraphFile } from './federation/jobs/supergraph-file.ts';
import { Live } from './subscriptions/http/live.ts';

const ownSupergraph = fileURLToPath(new URL('../supergraph.graphql', import.meta.url));

await runProcess({
  name: 'gateway',
  env: specification,
  async start({ env, kit, onStop, listen }) {
    const access = remoteAccess({ kit, env, serviceName: 'gateway' });
    access.start();
    onStop('access', () => access.stop());
    const { READY_FILE: readyFile } = env;
    if (readyFile !== undefined) kit.health.check('installation', () => exists(readyFile));
    const redis = createRedis(env.REDIS_URL, { name: 'gateway', log: kit.log });
    onStop('redis', async () => redis.disconnect());
    const supergraphPath = env.SUPERGRAPH_PATH ?? ownSupergraph;
    const supergraphSdl = await readFile(supergraphPath, 'utf8');
    let supergraph: SupergraphFile | undefined;
    // From the first moment on: without a listener the signal would end the process.
    process.on('SIGHUP', () => void supergraph?.look());
    const auth = new HttpPeer({
      name: 'auth',
      origin: env.AUTH_URL,
      connections: 2,
      timeoutMs: 1_000,
      token: access.tokenFor('auth'),
    });
    onStop('auth', () => auth.close());
    const crossOrigin = new CrossOrigin({
      publicOrigin: env.PUBLIC_ORIGIN,
      origins: env.LIVE_ORIGINS,
      webOrigins: new RegisteredWebOrigins({ auth, log: kit.log }),
    });
    const live = new Live({
      kit,
      verifier: access.verifier,
      revocations: access.revocations,
      publicOrigin: env.PUBLIC_ORIGIN,
      redisUrl: env.REDIS_URL,
      redisPrefix: env.REDIS_PREFIX,
      signatures: streamSignatures(env),
      introspection: env.GRAPH_INTROSPECTION,
      crossOrigin,
      limits: {
        subscriptions: env.LIVE_SUBSCRIPTIONS,
        connectionsPerClient: env.LIVE_CONNECTIONS_PER_CLIENT,
        connectionsPerNetwork: env.LIVE_CONNECTIONS_PER_NETWORK,
      },
    });
    const app = await createGateway({
      kit,
      live,
      crossOrigin,
      verifier: access.verifier,
      voucherFor: access.voucherFor,
      publicOrigin: env.PUBLIC_ORIGIN,
      trustedProxies: env.TRUSTED_PROXIES,
      origins: { auth: env.AUTH_URL, directory: env.DIRECTORY_URL, provisioning: env.PROVISIONING_URL },
      supergraphSdl,
      onGraph: (graph) => {
        supergraph = new SupergraphFile(
          {
            path: supergraphPath,
            everySeconds: env.SUPERGRAPH_RELOAD_SECONDS,
            kit,
            load: (sdl) => graph.load(sdl),
          },
          supergraphSdl,
        );
      },
      guards: await guardsOf(env, redis),
      graphiql: env.GRAPH_GRAPHIQL,
      introspection: env.GRAPH_INTROSPECTION,
      scimBodyLimit: env.SCIM_BODY_LIMIT,
      subgraphTimeoutMs: subgraphTimeouts(env),
    });
    supergraph?.start();
    onStop('supergraph', async () => supergraph?.stop());
    await listen(app);
  },
});

type Env = ReturnType<typeof parseEnv<typeof specification>>;

async function guardsOf(env: Env, redis: Redis): Promise<GraphGuards> {
  const path = env.GRAPH_TRUSTED_DOCUMENTS;
  if (path === undefined && env.GRAPH_TRUSTED_DOCUMENTS_ONLY) {
    throw new Error('GRAPH_TRUSTED_DOCUMENTS_ONLY needs a manifest: set GRAPH_TRUSTED_DOCUMENTS.');
  }
  return {
    limits: { ...documentLimits, depth: env.GRAPH_DEPTH_LIMIT, cost: env.GRAPH_COST_LIMIT },
    pointsPerMinute: env.GRAPH_POINTS_PER_MINUTE,
    redis,
    prefix: env.REDIS_PREFIX,
    persistedQueries: env.GRAPH_PERSISTED_QUERIES,
    documents: path === undefined ? undefined : await readTrustedDocuments(path),
    documentsOnly: env.GRAPH_TRUSTED_DOCUMENTS_ONLY,
  };
}
