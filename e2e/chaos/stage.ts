import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceName, type System, seedDemo, serviceNames, startSystem } from '@ostiary/embedded/system';
import { type Demo, readDemo } from '../support/demo.ts';
import { copyHome } from '../support/prepared-home.ts';
import type { Prepared } from '../support/systems/start-own.ts';
import { Links, type RemoteLink } from './faults/links.ts';

export const instances = serviceNames.flatMap((service) => [service, `${service}-2`]);

export const serviceOf = (instance: string): ServiceName => instance.replace(/-2$/, '') as ServiceName;

const addresses: Partial<Record<string, string>> = {
  DATABASE_URL: 'postgres',
  REDIS_URL: 'valkey',
  AUTH_URL: 'auth',
  DIRECTORY_URL: 'directory',
  PROVISIONING_URL: 'provisioning',
};

/** Returns the sum of all series of a metric. */
const sumOf = (text: string, metric: string): number =>
  [...text.matchAll(new RegExp(`^${metric}(?:\\{.*\\})? (\\S+)$`, 'gm'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );

/** Milliseconds between readiness checks of the load balancer. */
const lookEveryMs = 500;

/**
 * The system with two processes of each service, a proxy between each process and everything it calls, and a load
 * balancer in front.
 */
export class Stage {
  readonly system: System;
  readonly demo: Demo;
  /** URL of each process. */
  readonly urls: Readonly<Record<string, string>>;
  readonly #metricsUrls: Readonly<Record<string, string>>;
  readonly #links: Links;
  readonly #clocks: string;
  readonly #down = new Set<string>();
  readonly #looking: NodeJS.Timeout;
  readonly #notes: string[];

  private constructor(o: {
    system: System;
    demo: Demo;
    urls: Record<string, string>;
    metricsUrls: Record<string, string>;
    links: Links;
    clocks: string;
    notes: string[];
  }) {
    this.system = o.system;
    this.demo = o.demo;
    this.urls = o.urls;
    this.#metricsUrls = o.metricsUrls;
    this.#links = o.links;
    this.#clocks = o.clocks;
    this.#notes = o.notes;
    this.#looking = setInterval(() => void this.#look(), lookEveryMs);
  }

  /**
   * @param env settings for every process
   * @param prepared state to start from; by default the authorization server is the production one
   */
  static async set(env: NodeJS.ProcessEnv, prepared: Prepared = {}): Promise<Stage> {
    const home = await mkdtemp(join(tmpdir(), 'ostiary-chaos-'));
    if (prepared.home) await copyHome(prepared.home, home);
    const ports = new Map<string, number>();
    const metricsUrls: Record<string, string> = {};
    const links = new Links();
    const proxied = new Map<string, number>();
    const link = async (from: string, to: string) => proxied.set(`${from} ${to}`, await links.make(from, to));
    await link('world', 'gateway');
    for (const instance of instances) {
      for (const to of new Set(Object.values(addresses) as string[])) await link(instance, to);
    }
    const adjust = (instance: string, given: Record<string, string>): Record<string, string> => {
      const adjusted = { ...given };
      ports.set(instance, Number(given.PORT));
      metricsUrls[instance] = `http://127.0.0.1:${given.METRICS_PORT}/metrics`;
      links.listensAt(instance, Number(given.PORT));
      for (const [name, to] of Object.entries(addresses)) {
        if (to === undefined || adjusted[name] === undefined) continue;
        const url = new URL(adjusted[name]);
        if (to === 'postgres' || to === 'valkey') links.listensAt(to, Number(url.port));
        url.port = String(proxied.get(`${instance} ${to}`));
        adjusted[name] = url.href.replace(/\/$/, '');
      }
      adjusted.CHAOS_CLOCK = join(home, `clock-${instance}`);
      adjusted.NODE_OPTIONS = `--import=${join(import.meta.dirname, 'faults', 'skewed-clock.mjs')}`;
      return adjusted;
    };

    const notes: string[] = [];
    const system = await startSystem({
      home,
      migrated: prepared.home !== undefined,
      ...(prepared.auth === undefined ? {} : { programs: { auth: prepared.auth } }),
      // Acknowledged changes must survive a kill of PostgreSQL.
      durable: true,
      log: (message) => void notes.push(message),
      publicOrigin: `http://localhost:${proxied.get('world gateway')}`,
      env: { LOG_LEVEL: 'info', ...env },
      adjust,
    }).catch(async (error: unknown) => {
      await links.close();
      throw error;
    });
    // The processes start in parallel. Each second process does not prepare statements, so that traps see their text.
    const ofTheSecond = { DATABASE_PREPARED_STATEMENTS: 'false' };
    await Promise.all(serviceNames.map((service) => system.spawnExtra(service, { env: ofTheSecond })));
    await seedDemo(system, () => undefined);
    return new Stage({
      system,
      demo: readDemo(join(home, 'demo.json')),
      urls: Object.fromEntries(instances.map((name) => [name, `http://127.0.0.1:${ports.get(name)}`])),
      metricsUrls,
      links,
      clocks: home,
      notes,
    });
  }

  links(from: string, to: string): RemoteLink[] {
    return this.#links.all.filter((link) => link.from === from && link.to === to);
  }

  /** Returns every link between the two. */
  between(one: string, other: string): { link: RemoteLink; target: string }[] {
    return [
      [one, other],
      [other, one],
    ].flatMap(([from = '', target = '']) =>
      this.links(from, serviceOf(target)).map((link) => ({ link, target })),
    );
  }

  /** Sets the clock offset of one process in milliseconds. */
  async skew(instance: string, ms: number): Promise<void> {
    await writeFile(join(this.#clocks, `clock-${instance}`), String(ms));
  }

  /** Processes that are not ready. */
  get down(): ReadonlySet<string> {
    return this.#down;
  }

  /** Messages of the supervisor about processes. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Returns the sum of a counter over both processes of a service since their start; NaN if one is unavailable. */
  async counted(service: ServiceName, metric: string): Promise<number> {
    const counts = await Promise.all(
      [service, `${service}-2`].map(async (instance) => {
        const text = await fetch(this.#metricsUrls[instance] ?? '').then(
          (response) => response.text(),
          () => undefined,
        );
        return text === undefined ? Number.NaN : sumOf(text, metric);
      }),
    );
    return counts.reduce((sum, one) => sum + one, 0);
  }

  /** Returns the error log lines of all processes. */
  errors(): Promise<string[]> {
    return this.#logged(/"level":"?(50|60|error|fatal)/);
  }

  /** Returns the log lines about rejected values from Redis. Only the system itself writes there. */
  refusals(): Promise<string[]> {
    return this.#logged(/ (was|were|is) refused"/);
  }

  async #logged(what: RegExp): Promise<string[]> {
    const folder = join(this.system.home, 'logs');
    const lines = await Promise.all(
      (await readdir(folder)).map(async (file) =>
        (await readFile(join(folder, file), 'utf8'))
          .split('\n')
          .filter((line) => what.test(line))
          .map((line) => `${file}: ${line.slice(0, 2_000)}`),
      ),
    );
    return lines.flat();
  }

  async strike(o: { keep?: boolean } = {}): Promise<void> {
    clearInterval(this.#looking);
    await this.#links.close();
    await this.system.stopAll();
    if (!o.keep) await rm(this.system.home, { recursive: true, force: true });
  }

  async #look(): Promise<void> {
    await Promise.all(
      instances.map(async (name) => {
        const ready = await fetch(`${this.urls[name]}/readyz`, { signal: AbortSignal.timeout(1_500) }).then(
          async (response) => {
            await response.arrayBuffer();
            return response.status === 200;
          },
          () => false,
        );
        if (ready) this.#down.delete(name);
        else this.#down.add(name);
      }),
    );
    this.#links.areDown(this.#down);
  }
}
