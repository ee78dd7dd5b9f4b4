import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { cpuSeconds, treeSeconds } from '../measure.ts';

/** Resources used so far, or in a period. */
export interface Used {
  /** CPU in microseconds, like `postgres` and `valkey`. */
  services: number;
  postgres: number;
  valkey: number;
  statements: number;
  /** Pages of PostgreSQL that statements read, from memory or disk. */
  buffers: number;
}

const figures = ['services', 'postgres', 'valkey', 'statements', 'buffers'] as const;
export type Figure = (typeof figures)[number];

const each = (value: (figure: Figure) => number): Used =>
  Object.fromEntries(figures.map((figure) => [figure, value(figure)])) as unknown as Used;

/** Milliseconds for work after the last event, such as its confirmation. */
const echoMs = 1_000;
/** Maximum milliseconds until all events are delivered. */
const maxDeliveryMs = 20_000;

export interface MeterOptions {
  sql: pg.Client;
  services: readonly number[];
  /** Undefined for an external engine. */
  postgres: number | undefined;
  valkey: number | undefined;
}

/** Measures the cost of work, without the background cost. */
export class Meter {
  readonly #o: MeterOptions;

  constructor(options: MeterOptions) {
    this.#o = options;
  }

  /** Measures the usage per second without requests. */
  async idle(seconds: number): Promise<Used> {
    await this.#settle();
    const before = await this.#used();
    await sleep(seconds * 1_000);
    const after = await this.#used();
    return each((figure) => (after.used[figure] - before.used[figure]) / ((after.at - before.at) / 1_000));
  }

  /** Measures the cost of one request, including its effects at other services. */
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

  /** Waits until every event is delivered. */
  async #settle(): Promise<void> {
    const until = performance.now() + maxDeliveryMs;
    for (;;) {
      const { rows } = await this.#o.sql.query('SELECT 1 FROM directory.outbox_deliveries LIMIT 1');
      if (rows.length === 0 || performance.now() > until) break;
      await sleep(250);
    }
    await sleep(echoMs);
  }

  async #used(): Promise<{ at: number; used: Used }> {
    // Excludes autovacuum and the queries of statistics.
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

/** Returns the median of each figure. */
export const medianOf = (all: readonly Used[]): Used =>
  each((figure) => {
    const sorted = all.map((used) => used[figure]).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  });

/** Returns the ratio to the usage at the smallest size. */
export const ratios = (used: Used, least: Used): Used =>
  each((figure) => (least[figure] === 0 ? Number.NaN : used[figure] / least[figure]));

/** Returns the CPU of all processes. */
export const allCpu = ({ services, postgres, valkey }: Used): number => services + postgres + valkey;
