/**
 * Systems that test files have to themselves, one after the other: a file takes one, stops, kills and configures its processes, and gives
 * it back with everything running and its invariants intact; only then has the next file it. It belongs to the process of the whole run
 * (`scripts/jest/setup.mjs`); the workers, where test files are, ask for it over HTTP (`leased-system.ts`).
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type ServiceName, serviceNames } from '@ostiary/embedded/system';
import { type KeyFamilyName, keyFamilyOf } from '@ostiary/service';
import { Redis } from 'ioredis';
import { brokenInvariants, endOwn, type Prepared, type StartedSystem, startOwn } from './start-own.ts';

export { preparedBy } from './start-own.ts';

/** What a file wants to be other than usual: for every process, and for one of them. */
export interface Settings {
  env?: Record<string, string>;
  of?: Partial<Record<ServiceName, Record<string, string>>>;
}

/** What a test is told of the system it has taken. */
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
/** An idle system costs in a minute and a half what starting another does. */
const idleMs = 60_000;
/** More processes to start anew than this, and another system is as good. */
const mostRestarts = 2;
/** What the file before has used up is not to be missed by the next. */
const budgets: readonly (KeyFamilyName | undefined)[] = ['attempts', 'dpop_rate', 'scim_rate', 'graph_rate'];

const ofEach = <T>(value: (name: ServiceName) => T): Record<ServiceName, T> =>
  Object.fromEntries(serviceNames.map((name) => [name, value(name)])) as Record<ServiceName, T>;

const settingsOf = ({ env, of }: Settings): SettingsOfAll => ofEach((name) => ({ ...env, ...of?.[name] }));

/** The processes that would have to be started anew. */
const differing = ({ settings }: Member, wanted: SettingsOfAll): ServiceName[] =>
  serviceNames.filter((name) => !isDeepStrictEqual(settings[name], wanted[name]));

export class SystemPool {
  readonly #prepared: () => Promise<Prepared>;
  /** All that run, those too that are being configured or looked at. */
  readonly #members = new Set<Member>();
  readonly #leased = new Map<string, Member>();
  readonly #idle = new Set<Member>();
  readonly #ending = new Set<Promise<void>>();

  /** @param prepared what systems begin with */
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

  /** What the file that has it does to its processes. */
  async call(id: string, method: keyof Calls, args: unknown[]): Promise<unknown> {
    const work = calls(this.#of(id))[method] as (...given: unknown[]) => unknown;
    return work(...args);
  }

  /** What is broken in it, when every process works again. */
  broken(id: string): Promise<string[]> {
    return brokenInvariants(this.#of(id).system);
  }

  /**
   * Nobody else has it before everything works again and the invariants have been looked at.
   * @param o.keep false: nobody else is to have it, as a test of the file has failed or has left what no process would
   * @param o.sound false: nor need its invariants hold
   * @returns what is broken in it
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
      .filter(({ restarts }) => restarts <= mostRestarts)
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
