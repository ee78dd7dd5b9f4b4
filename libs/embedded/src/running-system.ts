import type { Secrets } from './installation/secrets.ts';
import type { ServiceName } from './installation/service-names.ts';

export interface System {
  /** Origin of the edge, such as http://localhost:4000. */
  readonly origin: string;
  readonly home: string;
  /** URL of each process on loopback. */
  readonly urls: Readonly<Record<ServiceName, string>>;
  /** URL of each process's metrics. */
  readonly metricsUrls: Readonly<Record<ServiceName, string>>;
  /** URL of the gateway's operator port. */
  readonly operatorUrl: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly secrets: Secrets;
  /** Environment of each process. */
  readonly env: Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;
  /**
   * Id of the running process; undefined while it is down. Here and below a name is a service, an additional
   * instance, or `postgres` and `valkey` if embedded.
   */
  pid(name: string): number | undefined;
  start(name: string): Promise<void>;
  stop(name: string): Promise<void>;
  /**
   * @param o.env replaces a service's environment from now on
   * @param o.root release of the process from now on
   */
  restart(name: string, o?: { env?: Readonly<Record<string, string>>; root?: string }): Promise<void>;
  /** Applies the migrations of a release while everything runs. */
  migrate(root: string): Promise<void>;
  /**
   * Sends a signal. A resulting exit counts as a crash and is followed by a restart, unless `restart: false`.
   */
  kill(name: string, signal: NodeJS.Signals, o?: { restart?: boolean }): Promise<void>;
  /** Waits until the process is ready. */
  ready(name: string, timeoutMs?: number): Promise<void>;
  /** Starts another instance of a service, with the same environment but its own port. */
  spawnExtra(
    service: ServiceName,
    o?: { port?: number; env?: Record<string, string> },
  ): Promise<{ name: string; url: string; metricsUrl: string; stop(): Promise<void> }>;
  /** Lets the edge become ready after `hold`; resolves when it is. */
  release(): Promise<void>;
  /** Stops everything, services first; a repeated call waits for the same end. */
  stopAll(): Promise<void>;
}
