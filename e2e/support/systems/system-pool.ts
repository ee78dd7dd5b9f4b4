/**
 * Systems that test files use exclusively, one file after the other: a file leases one, may stop, kill and configure
 * its processes, and releases it with everything running and its invariants intact. It belongs to the process of the
 * whole run (`scripts/jest/setup.mjs`); the workers use it over HTTP (`leased-system.ts`).
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type ServiceName, serviceNames } from '@ostiary/embedded/system';
import { type KeyFamilyName, keyFamilyOf } from '@ostiary/service';
import { Redis } from 'ioredis';
import { brokenInvariants, endOwn, type Prepared, type StartedSystem, startOwn } from './start-own.ts';

export { preparedBy } from './start-own.ts';

/** Settings that differ from the default: for every process, and for single ones. */
export interface Settings {
  env?: Record<string, string>;
  of?: Partial<Record<ServiceName, Record<string, string>>>;
}

/** Description of a leased system. */
export type Lease = Pick<
  StartedSystem['system'],
  'origin' | 'home' | 'urls' | 'metricsUrls' | 'operatorUrl' | 'databaseUrl' | 'redisUrl' | 'secrets' | 'env'
> & { id: string; demo: StartedSystem['demo'] };

export interface Calls {
  pid(name: string): Promise<number | undefined>;
  start(name: string): Promise<void>;
  stop(name: string): Promise<void>;
  restart(name: string): Promise<void>;
  kill(name: string, signal: NodeJS.Signals, o?: { restart?: boolean }): Promise<void>;
  ready(name: string, timeoutMs?: number): Promise<void>;
  spawnExtra(
    service: ServiceName,
    o?: { port?: number; env?: Record<string, string> },
  ): Promise<{ name: string; url: string; metricsUrl: string }>;
  stopExtra(name: string): Promise<void>;
}

type SettingsOfAll = Record<ServiceName, Record<string, string>>;

interface Member extends StartedSystem {
  settings: SettingsOfAll;
  extras: Map<string, () => Promise<void>>;
  idle?: NodeJS.Timeout;
}

/** REDIS_PREFIX of the systems. */
const prefix = 'ostiary';
/** Milliseconds until an idle system is stopped; 90 seconds of idling cost as much as starting another. */
const idleMs = 60_000;
/** Maximum number of processes to restart for other settings; with more, another system costs as little. */
const maxRestarts = 2;
/** Limits whose use by one file must not affect the next. */
const budgets: readonly (KeyFamilyName | undefined)[] = ['attempts', 'dpop_rate', 'scim_rate', 'graph_rate'];

const ofEach = <T>(value: (name: ServiceName) => T): Record<ServiceName, T> =>
  Object.fromEntries(serviceNames.map((name) => [name, value(name)])) as Record<ServiceName, T>;

const settingsOf = ({ env, of }: Settings): SettingsOfAll => ofEach((name) => ({ ...env, ...of?.[name] }));

/** Returns the processes that need a restart for the wanted settings. */
const differing = ({ settings }: Member, wanted: SettingsOfAll): ServiceName[] =>
  serviceNames.filter((name) => !isDeepStrictEqual(settings[name], wanted[name]));

export class SystemPool {
  readonly #prepared: () => Promise<Prepared>;
  /** All running systems, including those in configuration or verification. */
  readonly #members = new Set<Member>();
  readonly #leased = new Map<string, Member>();
  readonly #idle = new Set<Member>();
  readonly #ending = new Set<Promise<void>>();

  /** @param prepared returns the artifacts that systems start from */
  constructor(prepared: () => Promise<Prepared>) {
    this.#prepared = prepared;
  }

  async lease(asked: Settings): Promise<Lease> {
    const wanted = settingsOf(asked);
    const member = this.#nearest(wanted);
    if (member === undefined) return this.#given(await this.#start(wanted));
    try {
      await configure(member, wanted);
    } catch (error) {
      this.#end(member);
      throw error;
    }
    return this.#given(member);
  }

  /** Calls an operation for the file that leases the system. */
  async call(id: string, method: keyof Calls, args: unknown[]): Promise<unknown> {
    const work = calls(this.#of(id))[method] as (...given: unknown[]) => unknown;
    return work(...args);
  }

  /** Returns the violated invariants when every process works again. */
  broken(id: string): Promise<string[]> {
    return brokenInvariants(this.#of(id).system);
  }

  /**
   * Releases a system. It is leased again only after everything works and the invariants are verified.
   * @param o.keep false: not leased again, because a test failed or left invalid data
   * @param o.sound false: invariants need not hold
   * @returns the violated invariants
   */
  async release(id: string, o: { keep: boolean; sound: boolean }): Promise<string[]> {
    const member = this.#leased.get(id);
    if (member === undefined) return [];
    this.#leased.delete(id);
    let isKept = false;
    try {
      if (!o.sound) return [];
      await Promise.all([...member.extras.values()].map((stop) => stop()));
      member.extras.clear();
      const broken = await brokenInvariants(member.system);
      isKept = o.keep && broken.length === 0;
      if (isKept) await forgiveBudgets(member.system.redisUrl);
      return broken;
    } catch (error) {
      isKept = false;
      return [String(error)];
    } finally {
      if (isKept) this.#keep(member);
      else this.#end(member);
    }
  }

  async stop(): Promise<void> {
    for (const member of this.#members) this.#end(member);
    this.#leased.clear();
    await Promise.all(this.#ending);
  }

  #of(id: string): Member {
    const member = this.#leased.get(id);
    if (member === undefined) throw new Error('This system was given back.');
    return member;
  }

  #nearest(wanted: SettingsOfAll): Member | undefined {
    const [nearest] = [...this.#idle]
      .map((member) => ({ member, restarts: differing(member, wanted).length }))
      .filter(({ restarts }) => restarts <= maxRestarts)
      .toSorted((a, b) => a.restarts - b.restarts);
    if (nearest === undefined) return undefined;
    clearTimeout(nearest.member.idle);
    this.#idle.delete(nearest.member);
    return nearest.member;
  }

  async #start(settings: SettingsOfAll): Promise<Member> {
    const started = await startOwn(await this.#prepared(), {
      adjust: (process, env) => ({ ...env, ...settings[process as ServiceName] }),
    });
    const member = { ...started, settings, extras: new Map() };
    this.#members.add(member);
    return member;
  }

  #given(member: Member): Lease {
    const id = randomUUID();
    this.#leased.set(id, member);
    const { origin, home, urls, metricsUrls, operatorUrl, databaseUrl, redisUrl, secrets } = member.system;
    const env = ofEach((name) => ({ ...member.system.env[name], ...member.settings[name] }));
    return {
      id,
      demo: member.demo,
      origin,
      home,
      urls,
      metricsUrls,
      operatorUrl,
      databaseUrl,
      redisUrl,
      secrets,
      env,
    };
  }

  #keep(member: Member): void {
    this.#idle.add(member);
    member.idle = setTimeout(() => this.#end(member), idleMs).unref();
  }

  #end(member: Member): void {
    if (!this.#members.delete(member)) return;
    clearTimeout(member.idle);
    this.#idle.delete(member);
    const ending: Promise<void> = endOwn(member)
      .catch(() => undefined)
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

async function configure(member: Member, wanted: SettingsOfAll): Promise<void> {
  const { system } = member;
  const restarted = differing(member, wanted);
  await Promise.all(
    restarted.map((name) => system.restart(name, { env: { ...system.env[name], ...wanted[name] } })),
  );
  member.settings = wanted;
}

function calls({ system, settings, extras }: Member): Calls {
  return {
    pid: async (name) => system.pid(name),
    start: (name) => system.start(name),
    stop: (name) => system.stop(name),
    restart: (name) => system.restart(name),
    kill: (name, signal, o) => system.kill(name, signal, o),
    ready: (name, timeoutMs) => system.ready(name, timeoutMs),
    async spawnExtra(service, { port, env } = {}) {
      const { name, url, metricsUrl, stop } = await system.spawnExtra(service, {
        ...(port === undefined ? {} : { port }),
        env: { ...settings[service], ...env },
      });
      extras.set(name, stop);
      return { name, url, metricsUrl };
    },
    async stopExtra(name) {
      await extras.get(name)?.();
      extras.delete(name);
    },
  };
}

async function forgiveBudgets(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl);
  try {
    for (let cursor = ''; cursor !== '0'; ) {
      const [next, keys] = await redis.scan(cursor || '0', 'COUNT', 500);
      const spent = keys.filter((key) => budgets.includes(keyFamilyOf(prefix, key)));
      if (spent.length > 0) await redis.del(...spent);
      cursor = next;
    }
  } finally {
    redis.disconnect();
  }
}
