import { NotReady, type ServiceKit } from '@ostiary/service';
import { type ServiceName, serviceNames, type Upstream, type Upstreams } from './upstream.ts';

/** Consequences of the unavailability of each service. */
const without: Readonly<Record<ServiceName, string>> = {
  auth: 'Users cannot sign in, clients cannot get tokens, and the graph returns no sessions and credentials.',
  directory: 'Users and groups can be neither read nor changed, in the graph or over SCIM.',
  provisioning: 'Identity sources cannot provision, and the graph returns no connectors.',
};

/**
 * Readiness of the gateway. It is not ready before the supergraph is loaded and every service has been ready once, so
 * that a new installation is not exposed incomplete. Later, an unavailable service only degrades the gateway: the
 * rest must continue to work, and a load balancer must not remove all gateways because of it.
 */
export class Readiness {
  readonly #upstreams: Upstreams;
  readonly #seen = new Set<ServiceName>();
  #isLoaded = false;

  constructor({ health }: ServiceKit, upstreams: Upstreams) {
    this.#upstreams = upstreams;
    health.check('supergraph', async () => {
      if (!this.#isLoaded) throw new NotReady('not_loaded');
    });
    health.check('startup', async () => {
      const missing = serviceNames.filter((name) => !this.#seen.has(name));
      await Promise.all(missing.map((name) => this.#probe(name)));
    });
    for (const name of serviceNames) {
      health.check(name, () => this.#probe(name), { required: false, impairs: without[name] });
    }
  }

  supergraphLoaded(): void {
    this.#isLoaded = true;
  }

  async #probe(name: ServiceName): Promise<void> {
    await askReady(this.#upstreams[name]);
    this.#seen.add(name);
  }
}

async function askReady({ pool }: Upstream): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: '/readyz',
    signal: AbortSignal.timeout(1_500),
  });
  await body.dump();
  if (statusCode !== 200) throw new NotReady('not_ready');
}
