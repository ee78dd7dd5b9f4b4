import type { Secrets } from './installation/secrets.ts';
import type { ServiceName } from './installation/service-names.ts';

export interface System {
  /** The edge, e.g. http://localhost:4000. */
  readonly origin: string;
  readonly home: string;
  /** Each process by itself, on loopback. */
  readonly urls: Readonly<Record<ServiceName, string>>;
  /** Where each process tells its metrics. */
  readonly metricsUrls: Readonly<Record<ServiceName, string>>;
  /** The gateway's port for the operator. */
  readonly operatorUrl: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly secrets: Secrets;
  /** The environment each process runs with. */
  readonly env: Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;
  /**
   * Number of the running process; undefined while it is down. Here and below a name is a service, an extra
   * instance, or `postgres` and `valkey` where they are embedded.
   */
  pid(name: string): number | undefined;
  start(name: string): Promise<void>;
  stop(name: string): Promise<void>;
  /**
   * @param o.env what a service has from now on in place of its environment
   * @param o.root where the release is of which the process is from now on
   */
  restart(name: string, o?: { env?: Readonly<Record<string, string>>; root?: string }): Promise<void>;
  /** Applies the migrations of the release that is there, while everything runs. */
  migrate(root: string): Promise<void>;
  /** Sends a signal. A death counts as a crash and is followed by a restart, unless `restart: false`. */
  kill(name: string, signal: NodeJS.Signals, o?: { restart?: boolean }): Promise<void>;
  /** Waits until the process says it is ready. */
  ready(name: string, timeoutMs?: number): Promise<void>;
  /** Another instance of a service, with the same environment but its own port. */
  spawnExtra(
    service: ServiceName,
    o?: { port?: number; env?: Record<string, string> },
  ): Promise<{ name: string; url: string; metricsUrl: string; stop(): Promise<void> }>;
  /** Lets the edge say that it is ready, after `hold`; resolves when it does. */
  release(): Promise<void>;
  /** Stops everything, services first; calling it again waits for the same end. */
  stopAll(): Promise<void>;
}
