import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceName, serviceNames } from '@ostiary/embedded/system';
import type { Demo } from '../support/demo.ts';
import { endOwn, preparedBy, type StartedSystem, startOwn } from '../support/systems/start-own.ts';
import { CountedLink, postgresReader, redisReader } from './counted-link.ts';

/** Cost of one request, of all processes together. */
export interface Cost {
  /** Executed statements, including BEGIN and COMMIT. */
  statements: number;
  /** Committed transactions of several statements. A single statement without BEGIN is not counted. */
  commits: number;
  /** Commands sent to Redis. */
  redis: number;
  /** read and write system calls. */
  calls: number;
  /** Number of times a thread waited and was woken. */
  wakeUps: number;
  /** Statements and commands, with their number per request. */
  asked: Record<string, number>;
}

/** Commands that wait for messages or are sent periodically, independent of requests. */
const beside = /^redis (XREAD|XREADGROUP|BZPOPMIN|PING|INFO|CLIENT|HELLO|SUBSCRIBE)$/;

interface Counts {
  asked: Map<string, number>;
  calls: number;
  wakeUps: number;
}

/** Duration of each measurement of the idle system, in ms. */
const idleLooks = [1_500, 1_500, 1_500];

/** System with counting proxies between its processes and databases. */
export class CountedSystem {
  readonly #started: StartedSystem;
  readonly #links: CountedLink[];
  readonly #asked: Map<string, number>;
  /** Activity of the idle system per second. */
  #idle: Counts = { asked: new Map(), calls: 0, wakeUps: 0 };

  private constructor(started: StartedSystem, links: CountedLink[], asked: Map<string, number>) {
    this.#started = started;
    this.#links = links;
    this.#asked = asked;
  }

  static async start(): Promise<CountedSystem> {
    const asked = new Map<string, number>();
    const count = (kind: string) => (what: string) => {
      const key = `${kind} ${what}`;
      asked.set(key, (asked.get(key) ?? 0) + 1);
    };
    const [postgres, redis] = await Promise.all([
      CountedLink.start(() => postgresReader(count('sql'))),
      CountedLink.start(() => redisReader(count('redis'))),
    ]);
    const adjust = (_process: string, env: Record<string, string>): Record<string, string> => ({
      ...env,
      ...(env.DATABASE_URL !== undefined && { DATABASE_URL: postgres.insteadOf(env.DATABASE_URL) }),
      ...(env.REDIS_URL !== undefined && { REDIS_URL: redis.insteadOf(env.REDIS_URL) }),
    });
    // The counted system is the production one: its prepared home folder and the same programs.
    const { home } = preparedBy(process.env);
    const started = await startOwn(home === undefined ? {} : { home }, { adjust });
    const system = new CountedSystem(started, [postgres, redis], asked);
    // Background work of the start ends.
    await sleep(2_000);
    const looks: Counts[] = [];
    for (const ms of idleLooks) looks.push(perSecond(await system.#during(() => sleep(ms)), ms / 1000));
    system.#idle = usual(looks);
    return system;
  }

  get demo(): Demo {
    return this.#started.demo;
  }

  async stop(): Promise<void> {
    await endOwn(this.#started);
    for (const link of this.#links) link.stop();
  }

  /**
   * Measures the cost of one request. Requests run one after the other, and each figure is the median, which excludes
   * periodic background work.
   * @param count number of requests
   */
  async costOf(count: number, request: (index: number) => Promise<unknown>): Promise<Cost> {
    const each: Counts[] = [];
    for (let index = 0; index < count; index += 1) each.push(await this.#during(() => request(index)));
    const asked: Record<string, number> = {};
    for (const what of new Set(each.flatMap((one) => [...one.asked.keys()]))) {
      const times = Math.round(median(each.map((one) => one.asked.get(what) ?? 0)));
      if (times > 0 && !beside.test(what)) asked[what] = times;
    }
    const sum = (kind: RegExp) =>
      Object.entries(asked).reduce((total, [what, each]) => total + (kind.test(what) ? each : 0), 0);
    return {
      statements: sum(/^sql /),
      commits: sum(/^sql COMMIT/i),
      redis: sum(/^redis /),
      // The median excludes the garbage collector, whose threads wake each other thousands of times in a row.
      calls: median(each.map(({ calls }) => calls)),
      wakeUps: median(each.map(({ wakeUps }) => wakeUps)),
      asked,
    };
  }

  /** Counts the activity during `work`, minus that of the idle system. */
  async #during(work: () => Promise<unknown>): Promise<Counts> {
    this.#asked.clear();
    const before = this.#worked();
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1000;
    const after = this.#worked();
    const own = (all: number, idle = 0) => all - idle * seconds;
    const { asked, calls, wakeUps } = this.#idle;
    const counts: Counts = {
      asked: new Map([...this.#asked].map(([what, times]) => [what, own(times, asked.get(what))])),
      calls: own(after.calls - before.calls, calls),
      wakeUps: own(after.wakeUps - before.wakeUps, wakeUps),
    };
    return counts;
  }

  /** Counts the activity of all services since their start. Linux only. */
  #worked(): { calls: number; wakeUps: number } {
    const all = serviceNames.map((name: ServiceName) => workOf(this.#started.system.pid(name)));
    return {
      calls: all.reduce((sum, { calls }) => sum + calls, 0),
      wakeUps: all.reduce((sum, { wakeUps }) => sum + wakeUps, 0),
    };
  }
}

const perSecond = ({ asked, calls, wakeUps }: Counts, seconds: number): Counts => ({
  asked: new Map([...asked].map(([what, times]) => [what, times / seconds])),
  calls: calls / seconds,
  wakeUps: wakeUps / seconds,
});

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Requests of the idle system are periodic, so their mean is used. Calls and wake-ups come in bursts, so their minimum
 * is used, which is not charged to requests.
 */
const usual = (looks: readonly Counts[]): Counts => ({
  asked: new Map(
    looks
      .flatMap(({ asked }) => [...asked.keys()])
      .map((what) => [
        what,
        looks.reduce((sum, { asked }) => sum + (asked.get(what) ?? 0), 0) / looks.length,
      ]),
  ),
  calls: Math.min(...looks.map(({ calls }) => calls)),
  wakeUps: Math.min(...looks.map(({ wakeUps }) => wakeUps)),
});

function workOf(pid: number | undefined): { calls: number; wakeUps: number } {
  const field = (text: string, name: string) =>
    Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1]);
  const io = readFileSync(`/proc/${pid}/io`, 'utf8');
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/status`);
  return {
    calls: field(io, 'syscr') + field(io, 'syscw'),
    wakeUps: threads.reduce((sum, path) => sum + switches(path, field), 0),
  };
}

/** The thread may have ended in the meantime. */
function switches(path: string, field: (text: string, name: string) => number): number {
  try {
    return field(readFileSync(path, 'utf8'), 'voluntary_ctxt_switches');
  } catch {
    return 0;
  }
}
