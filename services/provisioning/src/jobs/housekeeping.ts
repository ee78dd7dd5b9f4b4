import type { Sql } from '@ostiary/database';
import type { Logger } from '@ostiary/service';
import type { Connectors } from '../data/connectors.ts';
import { pruneLinks } from '../data/links.ts';
import { pruneLogByAge, pruneLogByCount, tenantsWithLog } from '../data/log.ts';
import type { Submissions } from '../data/submissions.ts';

export interface HousekeepingOptions {
  sql: Sql;
  connectors: Pick<Connectors, 'pruneTokens'>;
  submissions: Pick<Submissions, 'prune'>;
  log: Logger;
  /** Age at which log entries go, in days. */
  logDays: number;
  /** Log entries kept per tenant. */
  logEntries: number;
  /** Milliseconds between rounds. */
  intervalMs?: number;
}

/** Keeps the tables at a steady size, without a cron job outside. Several processes may do it at once. */
export class Housekeeping {
  readonly #options: HousekeepingOptions;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #stopping = false;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.run(), this.#options.intervalMs ?? 60_000);
    this.#timer.unref();
  }

  /** One round. Failures are logged; the next round tries again. */
  run(): Promise<void> {
    this.#round = this.#round.then(() => this.#prune());
    return this.#round;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#timer);
    await this.#round;
  }

  async #prune(): Promise<void> {
    const { sql, connectors, submissions, logDays, logEntries } = this.#options;
    try {
      await this.#repeat(() => pruneLogByAge(sql, logDays));
      for (const tenant of await tenantsWithLog(sql)) {
        if (this.#stopping) return;
        await pruneLogByCount(sql, tenant, logEntries);
      }
      await this.#repeat(() => pruneLinks(sql));
      await this.#repeat(() => connectors.pruneTokens());
      await this.#repeat(() => submissions.prune());
    } catch (error) {
      this.#options.log.warn({ err: error }, 'housekeeping failed');
    }
  }

  async #repeat(step: () => Promise<number>): Promise<void> {
    while (!this.#stopping && (await step()) > 0);
  }
}
