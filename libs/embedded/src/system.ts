import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EmbeddedProcess } from './embedded-process.ts';
import {
  migrationEnv,
  type OwnCredentials,
  ownCredentials,
  valkeyAccess,
} from './installation/credentials.ts';
import { assertReachable } from './installation/database-address.ts';
import { Home } from './installation/home.ts';
import { freePort, operatorPort, portIsFree } from './installation/ports.ts';
import { writePrivate } from './installation/private-file.ts';
import { folderOf, programOf, serviceOf } from './installation/programs.ts';
import { installationSecrets, type Secrets } from './installation/secrets.ts';
import { type Ports, type Surroundings, serviceEnv } from './installation/service-env.ts';
import { type ServiceName, serviceNames } from './installation/service-names.ts';
import { startPostgres } from './postgres.ts';
import { runOnce } from './run-once.ts';
import type { System } from './running-system.ts';
import { ServiceProcess } from './service-process.ts';
import { settled } from './settled.ts';
import { programProblem, StartError } from './start-error.ts';
import { startValkey } from './valkey.ts';

export type { Secrets } from './installation/secrets.ts';
export { type ServiceName, serviceNames } from './installation/service-names.ts';
export type { System } from './running-system.ts';
export { type DemoFile, seedDemo } from './seed/seed.ts';
export type { ServiceProcess } from './service-process.ts';
export { StartError } from './start-error.ts';

export interface SystemOptions {
  /**
   * Folder of the installation's state: databases, secrets, logs, demo.json. Locked by one system at a time.
   */
  home: string;
  /** Ports of the processes, default free ones. Metrics use the port plus 100, or a free one likewise. */
  ports?: Partial<Record<ServiceName, number>>;
  /** Default `http://localhost:<gateway port>`. */
  publicOrigin?: string;
  /** Use these servers instead of embedded ones. */
  databaseUrl?: string;
  redisUrl?: string;
  /** Settings for every process, such as LOG_LEVEL or ACCESS_TOKEN_TTL_SECONDS. */
  env?: NodeJS.ProcessEnv;
  /** Modifies the environment of one process, also an additional one, for tests between processes. */
  adjust?: (process: string, env: Record<string, string>) => Record<string, string>;
  /** Programs in place of a service's own (absolute paths), for tests beyond settings. */
  programs?: Partial<Record<ServiceName, string>>;
  /** Services to start, default all four. */
  only?: readonly ServiceName[];
  /** Start without data: first removes embedded databases, secrets and demo.json in `home`. */
  fresh?: boolean;
  /** Keeps the edge's /readyz at 503 until `release()`, for seeding the installation first. */
  hold?: boolean;
  /**
   * The databases already have every migration, as in a copy of another system's home: migrations are
   * skipped.
   */
  migrated?: boolean;
  /** false: data may be lost in a machine failure; faster (tests, benchmarks). Default true. */
  durable?: boolean;
  /** Progress, one line per step. */
  log: (message: string) => void;
  /** Warnings and errors of the processes, at most one of a kind per minute. */
  onWarning?: (process: string, message: string) => void;
  /** Cancels the start and stops everything started. */
  signal?: AbortSignal;
  /** Folder with services/ and gateway/, default this repository. */
  root?: string;
}

/** Offset of a process's metrics port from its port, as in the processes. */
const metricsOffset = 100;
const metricsUrl = (port: number): string => `http://127.0.0.1:${port}/metrics`;
const addresses = (of: (name: ServiceName) => string): Record<ServiceName, string> =>
  Object.fromEntries(serviceNames.map((name) => [name, of(name)])) as Record<ServiceName, string>;

const repository = fileURLToPath(new URL('../../..', import.meta.url));
/**
 * Starts the whole system: databases, migrations, services. Resolves when every process is ready. After a
 * failure or cancellation, nothing remains running.
 * @throws StartError with one sentence for the operator
 */
export async function startSystem(options: SystemOptions): Promise<System> {
  const starter = new Starter(options);
  try {
    return await starter.start();
  } catch (error) {
    await starter.stopAll();
    throw error;
  }
}

/** Facts of a running system known since its start. */
type SystemParts = Pick<
  System,
  'origin' | 'urls' | 'metricsUrls' | 'operatorUrl' | 'env' | 'databaseUrl' | 'redisUrl' | 'secrets'
>;

class Starter {
  readonly #options: SystemOptions;
  readonly #home: Home;
  readonly #root: string;
  readonly #processes = new Map<string, ServiceProcess>();
  #postgres: EmbeddedProcess | undefined;
  #valkey: EmbeddedProcess | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: SystemOptions) {
    this.#options = options;
    this.#home = new Home(options.home);
    this.#root = options.root ?? repository;
  }

  async start(): Promise<System> {
    const { log, signal: abort } = this.#options;
    await this.#home.claim();
    if (this.#options.hold) await rm(this.#home.readyFile, { force: true });
    const ports = await this.#ports();
    const origin = this.#options.publicOrigin ?? `http://localhost:${ports.gateway.port}`;
    await this.#home.describe({ origin });
    await this.#home.endLeftovers();
    if (this.#options.fresh) await this.#empty();
    await this.#home.assertRoom(this.#options.databaseUrl === undefined);
    const secrets = await installationSecrets(this.#home.path, this.#options.env ?? {});
    abort?.throwIfAborted();

    const [databaseUrl, redisUrl] = await settled([this.#database(), this.#redis(secrets)]);
    abort?.throwIfAborted();
    const urls = addresses((name) => `http://127.0.0.1:${ports[name].port}`);
    const metricsUrls = addresses((name) => metricsUrl(ports[name].metrics));
    const credentials: OwnCredentials = ownCredentials({
      databaseUrl,
      redisUrl,
      secrets,
      embedded: { postgres: this.#postgres !== undefined, valkey: this.#valkey !== undefined },
      env: this.#options.env ?? {},
    });
    const given = this.#options.env ?? {};
    const around: Surroundings = { origin, urls, databaseUrl, redisUrl, credentials, secrets, env: given };
    const env = Object.fromEntries(
      serviceNames.map((name) => [name, serviceEnv(name, ports[name], around)]),
    ) as Record<ServiceName, Record<string, string>>;

    const operator = await operatorPort(this.#options.ports?.gateway);
    env.gateway.OPERATOR_PORT = String(operator);
    const operatorUrl = `http://127.0.0.1:${operator}`;
    if (this.#options.hold) env.gateway.READY_FILE = this.#home.readyFile;
    const wanted = serviceNames.filter((name) => this.#options.only?.includes(name) ?? true);
    const migrate = (root: string) => this.#migrate(root, wanted, env, credentials);
    if (!this.#options.migrated) await migrate(this.#root);
    abort?.throwIfAborted();
    log(`Starting ${wanted.join(', ')}`);
    for (const name of wanted) this.#add(name, name, urls[name], env[name]);
    // Others wait for the failed one; without this they would wait until their timeout.
    const failed = new AbortController();
    const giveUp = abort === undefined ? failed.signal : AbortSignal.any([abort, failed.signal]);
    await settled(
      [...this.#processes.values()].map((process) =>
        process.start({ signal: giveUp }).catch((error: unknown) => {
          failed.abort(error);
          throw error;
        }),
      ),
    );
    await this.#record();
    const parts = { origin, urls, metricsUrls, operatorUrl, env, databaseUrl, redisUrl, secrets };
    return this.#handle(parts, migrate);
  }

  stopAll(): Promise<void> {
    this.#stopping ??= (async () => {
      await Promise.allSettled([...this.#processes.values()].map((process) => process.retire()));
      await Promise.allSettled([this.#valkey?.stop(), this.#postgres?.stop()]);
      await this.#home.release();
    })();
    return this.#stopping;
  }

  async #ports(): Promise<Record<ServiceName, Ports>> {
    const ports: Partial<Record<ServiceName, Ports>> = {};
    for (const name of serviceNames) {
      const given = this.#options.ports?.[name];
      ports[name] =
        given === undefined
          ? { port: await freePort(), metrics: await freePort() }
          : { port: given, metrics: given + metricsOffset };
    }
    const complete = ports as Record<ServiceName, Ports>;
    for (const name of serviceNames) {
      if (this.#options.only !== undefined && !this.#options.only.includes(name)) continue;
      if (this.#options.ports?.[name] === undefined) continue;
      for (const [port, whose] of [
        [complete[name].port, name],
        [complete[name].metrics, `metrics of the ${name}`],
      ] as const) {
        if (await portIsFree(port)) continue;
        throw new StartError(
          `Port ${port}, needed by the ${whose}, is taken by another program: free it, or choose other ports, e.g. PORT=5000 npm start (the services use the three ports after it, and metrics the four from PORT + ${metricsOffset}).`,
        );
      }
    }
    return complete;
  }

  #record(): Promise<void> {
    return this.#home.record([
      ...[...this.#processes.values()].map((process) => process.pid),
      this.#valkey?.pid,
    ]);
  }

  async #empty(): Promise<void> {
    if (this.#options.databaseUrl !== undefined) {
      throw new StartError(
        '--fresh empties only the embedded database, but DATABASE_URL points to another one: empty that database yourself, or unset DATABASE_URL.',
      );
    }
    this.#options.log('Removing the data of earlier starts');
    await this.#home.empty();
  }

  async #database(): Promise<string> {
    const { databaseUrl, log } = this.#options;
    if (databaseUrl !== undefined) {
      await assertReachable('DATABASE_URL', databaseUrl);
      return databaseUrl;
    }
    log('Starting PostgreSQL');
    const postgres = new EmbeddedProcess(
      'postgres',
      (o) =>
        startPostgres({
          ...o,
          dataDirectory: this.#home.file('postgres'),
          logFile: this.#home.logFile('postgres'),
          durable: this.#options.durable ?? true,
          log,
        }),
      log,
    );
    await postgres.start();
    this.#postgres = postgres;
    return postgres.url;
  }

  async #redis(secrets: Secrets): Promise<string> {
    const { redisUrl, log } = this.#options;
    if (redisUrl !== undefined) {
      await assertReachable('REDIS_URL', redisUrl);
      return redisUrl;
    }
    log('Starting Valkey');
    const valkey = new EmbeddedProcess(
      'valkey',
      (o) =>
        startValkey({
          ...o,
          dataDirectory: this.#home.file('valkey'),
          access: valkeyAccess(secrets, this.#options.env ?? {}),
          logFile: this.#home.logFile('valkey'),
          log,
        }),
      log,
    );
    await valkey.start();
    this.#valkey = valkey;
    return valkey.url;
  }

  async #migrate(
    root: string,
    services: readonly ServiceName[],
    env: Record<ServiceName, Record<string, string>>,
    credentials: OwnCredentials,
  ): Promise<void> {
    const programs = services
      .map((service) => ({ service, main: join(folderOf(root, service), 'dist', 'migrate.js') }))
      .filter(({ main }) => existsSync(main));
    if (programs.length === 0) return;
    this.#options.log('Applying migrations');
    await settled(
      programs.map(async ({ service, main }) => {
        const { code, output } = await runOnce(main, folderOf(root, service), {
          ...env[service],
          ...migrationEnv(service, credentials),
        });
        if (code !== 0) throw programProblem(`Migrating the database of ${service}`, output, this.#home.path);
      }),
    );
  }

  #add(name: string, service: ServiceName, url: string, env: Record<string, string>): ServiceProcess {
    const given = this.#options.programs?.[service];
    const program = programOf(this.#root, service);
    const process = new ServiceProcess({
      name,
      program: given === undefined ? program : { ...program, main: given },
      url,
      env: this.#options.adjust?.(name, { ...env }) ?? env,
      logFile: this.#home.logFile(name),
      log: this.#options.log,
      onWarning: this.#options.onWarning ?? (() => undefined),
    });
    this.#processes.set(name, process);
    return process;
  }

  #handle(parts: SystemParts, migrate: System['migrate']): System {
    const find = (name: string) => this.#find(name);
    const recorded = <T>(work: Promise<T>) => this.#recorded(work);
    return {
      ...parts,
      home: this.#home.path,
      pid: (name) => find(name).pid,
      start: (name) => recorded(find(name).start()),
      stop: (name) => find(name).stop(),
      migrate,
      restart: async (name, { env, root } = {}) => {
        const process = find(name);
        await process.stop();
        if (process instanceof ServiceProcess) {
          if (env !== undefined) process.env = env;
          if (root !== undefined) process.program = programOf(root, serviceOf(name));
        }
        await recorded(process.start());
      },
      release: () => this.#release(parts.urls.gateway),
      kill: (name, signal, o) => find(name).kill(signal, o),
      ready: (name, timeoutMs) => recorded(find(name).ready(timeoutMs === undefined ? {} : { timeoutMs })),
      spawnExtra: (service, o = {}) => this.#spawnExtra(service, parts.env[service], o),
      stopAll: () => this.stopAll(),
    };
  }

  #find(name: string): ServiceProcess | EmbeddedProcess {
    const servers = new Map([
      ['postgres', this.#postgres],
      ['valkey', this.#valkey],
    ]);
    const process = this.#processes.get(name) ?? servers.get(name);
    if (process === undefined) throw new Error(`There is no process ${name}`);
    return process;
  }

  /** Records process changes before it resolves. */
  async #recorded<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    if (this.#stopping === undefined) await this.#record();
    return result;
  }

  async #release(gateway: string): Promise<void> {
    if (!this.#options.hold) return;
    await writePrivate(this.#home.readyFile, '');
    const ready = () =>
      fetch(`${gateway}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (this.#stopping === undefined && !(await ready())) await sleep(50);
  }

  async #spawnExtra(
    service: ServiceName,
    env: Record<string, string>,
    o: NonNullable<Parameters<System['spawnExtra']>[1]>,
  ): ReturnType<System['spawnExtra']> {
    const port = o.port ?? (await freePort());
    const metrics = await freePort();
    // No await from here on: two concurrent calls would get the same name.
    let number = 2;
    while (this.#processes.has(`${service}-${number}`)) number++;
    const name = `${service}-${number}`;
    const url = `http://127.0.0.1:${port}`;
    const ports = {
      PORT: String(port),
      METRICS_PORT: String(metrics),
      ...(service === 'gateway' ? { OPERATOR_PORT: String(await freePort()) } : {}),
    };
    const process = this.#add(name, service, url, { ...env, ...o.env, ...ports });
    await this.#recorded(process.start());
    return {
      name,
      url,
      metricsUrl: metricsUrl(metrics),
      stop: async () => {
        await process.stop();
        this.#processes.delete(name);
      },
    };
  }
}
