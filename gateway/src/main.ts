import { access as exists, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { remoteAccess } from '@ostiary/access';
import { runProcess } from '@ostiary/service';
import { createGateway } from './app.ts';
import { env as specification } from './env.ts';

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
    const app = await createGateway({
      kit,
      verifier: access.verifier,
      voucherFor: access.voucherFor,
      publicOrigin: env.PUBLIC_ORIGIN,
      trustedProxies: env.TRUSTED_PROXIES,
      origins: { auth: env.AUTH_URL, directory: env.DIRECTORY_URL, provisioning: env.PROVISIONING_URL },
      supergraphSdl: await readFile(env.SUPERGRAPH_PATH ?? ownSupergraph, 'utf8'),
      introspection: env.GRAPH_INTROSPECTION,
      scimBodyLimit: env.SCIM_BODY_LIMIT,
      subgraphTimeoutMs: env.SUBGRAPH_TIMEOUT_MILLISECONDS,
    });
    await listen(app);
  },
});
