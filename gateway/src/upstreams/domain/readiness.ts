import type { ServiceKit } from '@ostiary/service';
import { serviceNames, type Upstream, type Upstreams } from './upstream.ts';

/**
 * Readiness of the gateway: not before the supergraph is loaded and every service has been ready once, so that a
 * new installation isn't shown half-built. After that a service that goes away only degrades the gateway: what
 * doesn't need it must go on working, and a load balancer must not take all gateways away because of it.
 *
 * @returns to be called when the supergraph is loaded
 */
export function watchReadiness(kit: Pick<ServiceKit, 'health'>, upstreams: Upstreams): () => void {
  let loaded = false;
  const seen = new Set<string>();
  const probe = async (upstream: Upstream): Promise<void> => {
    await askReady(upstream);
    seen.add(upstream.name);
  };

  kit.health.check('supergraph', async () => {
    if (!loaded) throw new Error('not loaded');
  });
  kit.health.check('startup', async () => {
    await Promise.all(serviceNames.filter((name) => !seen.has(name)).map((name) => probe(upstreams[name])));
  });
  for (const name of serviceNames) kit.health.check(name, () => probe(upstreams[name]), { required: false });

  return () => {
    loaded = true;
  };
}

async function askReady({ name, pool }: Upstream): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: '/readyz',
    signal: AbortSignal.timeout(1_500),
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${name} is not ready`);
}
