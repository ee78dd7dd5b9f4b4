import { keepAliveTimeoutThreshold } from '@ostiary/service';
import { errors, Pool } from 'undici';

/** The services behind the gateway, each both a subgraph and a REST surface. */
export const serviceNames = ['auth', 'directory', 'provisioning'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** One service and the persistent connections to it. */
export interface Upstream {
  readonly name: ServiceName;
  /** Shared by the graph and the edge. */
  readonly pool: Pool;
  /** For requests that the service may hold: each occupies a connection in the meantime. */
  readonly holding: Pool;
}

export type Upstreams = Readonly<Record<ServiceName, Upstream>>;

/** @param origins of each service, e.g. http://127.0.0.1:4001 */
export function createUpstreams(origins: Readonly<Record<ServiceName, string>>): Upstreams {
  const connections = (name: ServiceName, most: number): Pool =>
    new Pool(origins[name], {
      connections: most,
      pipelining: 1,
      // Shorter than the services' timeout for idle connections, so that the gateway closes them first.
      keepAliveTimeout: 30_000,
      keepAliveMaxTimeout: 60_000,
      keepAliveTimeoutThreshold,
      connect: { timeout: 2_000 },
    });
  const upstream = (name: ServiceName): Upstream => ({
    name,
    pool: connections(name, 128),
    // Above the number of requests that auth holds: 3,000 of the revocation feed and 1,000 polls of streams.
    holding: connections(name, 4_096),
  });
  return { auth: upstream('auth'), directory: upstream('directory'), provisioning: upstream('provisioning') };
}

/** Reports whether a persistent connection broke before a response: a read may then be repeated. */
export function brokeOff(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return error instanceof errors.SocketError || code === 'ECONNRESET' || code === 'EPIPE';
}
