import { access as exists, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { RemoteAccess } from '@ostiary/access';
import { createRedis, runProcess } from '@ostiary/service';
import { createGateway } from './app.ts';
import { consoleOf, createCrossOrigin, createLive, guardsOf } from './composition/process.ts';
import { env as specification, subgraphTimeouts } from './env.ts';
import { SupergraphFile } from './execution/supergraph-file.jobs.ts';

const ownSupergraph = fileURLToPath(new URL('../supergraph.graphql', import.meta.url));
const ownConsole = fileURLToPath(new URL('../dist/console', import.meta.url));

void runProcess({
  name: 'gateway',
  env: specification,
  async start({ env, kit, onStop, listen }) {
    const access = new RemoteAccess({ kit, env, serviceName: 'gateway' });
    access.start();
    onStop('access', () => access.stop());
    const { READY_FILE: readyFile } = env;
    if (readyFile !== undefined) kit.health.check('installation', () => exists(readyFile));
    const redis = createRedis(env.REDIS_URL, { name: 'gateway', log: kit.log });
    onStop('redis', async () => redis.disconnect());
    const path = env.SUPERGRAPH_PATH ?? ownSupergraph;
    const supergraphSdl = await readFile(path, 'utf8');
    let supergraph: SupergraphFile | undefined;
    // Registered first: without a listener the signal ends the process.
    process.on('SIGHUP', () => void supergraph?.look());
    const { console, documents } = await consoleOf(env, ownConsole);
    const crossOrigin = createCrossOrigin({ env, kit, access, onStop });
    const app = await createGateway({
      kit,
      live: createLive({ env, kit, access, crossOrigin }),
      crossOrigin,
      verifier: access.verifier,
      voucherFor: (service) => access.voucherFor(service),
      publicOrigin: env.PUBLIC_ORIGIN,
      trustedProxies: env.TRUSTED_PROXIES,
      origins: { auth: env.AUTH_URL, directory: env.DIRECTORY_URL, provisioning: env.PROVISIONING_URL },
      supergraphSdl,
      onGraph: (graph) => {
        const load = (sdl: string): Promise<void> => graph.load(sdl);
        const everySeconds = env.SUPERGRAPH_RELOAD_SECONDS;
        supergraph = new SupergraphFile({ path, everySeconds, kit, load }, supergraphSdl);
      },
      guards: await guardsOf(env, redis, documents),
      console,
      graphiql: env.GRAPH_GRAPHIQL,
      introspection: env.GRAPH_INTROSPECTION,
      operator:
        env.OPERATOR_PORT === undefined ? undefined : { host: env.OPERATOR_HOST, port: env.OPERATOR_PORT },
      scimBodyLimit: env.SCIM_BODY_LIMIT,
      subgraphTimeoutMs: subgraphTimeouts(env),
    });
    supergraph?.start();
    onStop('supergraph', async () => supergraph?.stop());
    await listen(app);
  },
});
