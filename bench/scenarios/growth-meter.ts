import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { cpuSeconds, treeSeconds } from '../measure.ts';

/** What was used so far, or in a stretch of time. */
export interface Used {
  /** Microseconds of CPU: of the services, of PostgreSQL and of Valkey. */
  services: number;
  postgres: number;
  valkey: number;
  statements: number;
  /** Pages of PostgreSQL that statements looked at, in memory or not. */
  buffers: number;
}

const figures = ['services', 'postgres', 'valkey', 'statements', 'buffers'] as const;
export type Figure = (typeof figures)[number];

const each = (value: (figure: Figure) => number): Used =>
  Object.fromEntries(figures.map((figure) => [figure, value(figure)])) as unknown as Used;

/** What comes after the last event, such as its confirmation. */
const echoMs = 1_000;
/** How long it may take until events have arrived everywhere. */
const longestMs = 20_000;

export interface MeterOptions {
  sql: pg.Client;
  services: readonly number[];
  /** Undefined where the engine isn't one of ours. */
  postgres: number | undefined;
  valkey: number | undefined;
}

/** Says what a piece of work cost, without what goes on all the time. */
export class Meter {
  readonly #o: MeterOptions;

  constructor(options: MeterOptions) {
    this.#o = options;
  }

  /** What is used in a second in which nobody asks for anything. */
  async idle(seconds: number): Promise<Used> {
    await this.#settle();
    const before = await this.#used();
    await sleep(seconds * 1_000);
    const after = await this.#used();
    return each((figure) => (after.used[figure] - before.used[figure]) / ((after.at - before.at) / 1_000));
  }

  /** What one of so many requests costs, with what it leads to at other services. */
  async each(requests: number, idle: Used, work: () => Promise<void>): Promise<Used> {
    await this.#settle();
    const before = await this.#used();
    await work();
    await this.#settle();
    const after = await this.#used();
    const seconds = (after.at - before.at) / 1_000;
    return each((figure) =>
      Math.max(0, (after.used[figure] - before.used[figure] - idle[figure] * seconds) / requests),
    );
  }

  /** Until every event has arrived where it goes. */
  async #settle(): Promise<void> {
    const until = performance.now() + longestMs;
    for (;;) {
      const { rows } = await this.#o.sql.query('SELECT 1 FROM directory.outbox_deliveries LIMIT 1');
      if (rows.length === 0 || performance.now() > until) break;
      await sleep(250);
    }
    await sleep(echoMs);
  }

  async #used(): Promise<{ at: number; used: Used }> {
    // What autovacuum and the statistics themselves do isn't part of it.
    const { rows } = await this.#o.sql.query<Pick<Used, 'statements' | 'buffers'>>(
      `SELECT sum(calls)::float8 AS statements, sum(shared_blks_hit + shared_blks_read)::float8 AS buffers
         FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_%'`,
    );
    const { statements = 0, buffers = 0 } = rows[0] ?? {};
    const tree = (pid: number | undefined) => (pid === undefined ? 0 : treeSeconds(pid) * 1e6);
    const { services, postgres, valkey } = this.#o;
    return {
      at: performance.now(),
      used: {
        services: services.reduce((sum, pid) => sum + cpuSeconds(pid), 0) * 1e6,
        postgres: tree(postgres),
        valkey: tree(valkey),
        statements,
        buffers,
      },
    };
  }
}

/** The median of several, figure by figure. */
export const medianOf = (all: readonly Used[]): Used =>
  each((figure) => {
    const sorted = all.map((used) => used[figure]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  });

/** How many times as much is used as at the smallest size. */
export const ratios = (used: Used, least: Used): Used =>
  each((figure) => (least[figure] === 0 ? Number.NaN : used[figure] / least[figure]));

/** CPU of everything together. */
export const allCpu = ({ services, postgres, valkey }: Used): number => services + postgres + valkey;
