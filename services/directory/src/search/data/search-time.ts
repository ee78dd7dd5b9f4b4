import { type Database, type Sql, statement } from '@ostiary/database';
import { ServiceUnavailable } from '@ostiary/service';

/**
 * Timeout of a whole search in milliseconds, below that of its callers, which would otherwise repeat it concurrently.
 */
const maxSearchMs = 4000;
/**
 * Maximum number of concurrent long searches of one tenant in this process. The others wait, and leave connections to
 * other tenants.
 */
const concurrentSearches = 3;

/** Applies until the end of the transaction, in milliseconds. */
const limitTime = statement({
  name: 'search.limit time',
  reason: 'search',
  text: `SELECT set_config('statement_timeout', $milliseconds, true)`,
  parameters: { milliseconds: 'text' },
  columns: { set_config: 'text' },
});

/** Runs a statement of a search, which may run again after a deadlock. */
export type RunInTime = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;

/** Runs all statements of one search within its timeout. */
export type SearchTime = () => RunInTime;

/** Limits the concurrent long searches of each tenant, and ends them after the timeout. */
export class SearchTimes {
  readonly #database: Database<unknown>;
  readonly #maxMs: number;
  readonly #queues = new Map<string, Queue>();

  /** @param maxMs timeout for all statements of one search together */
  constructor(database: Database<unknown>, maxMs = maxSearchMs) {
    this.#database = database;
    this.#maxMs = maxMs;
  }

  of(tenant: string): SearchTime {
    return () => {
      const deadline = performance.now() + this.#maxMs;
      return (work) =>
        this.#inTurn(tenant, deadline, () =>
          this.#database.transaction(async (tx) => {
            const left = Math.max(1, Math.floor(deadline - performance.now()));
            await limitTime.run(tx, { milliseconds: String(left) });
            return work(tx);
          }),
        );
    };
  }

  async #inTurn<T>(tenant: string, deadline: number, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(tenant) ?? new Queue();
    this.#queues.set(tenant, queue);
    try {
      await queue.enter(deadline);
      try {
        return await work();
      } finally {
        queue.leave();
      }
    } finally {
      if (queue.isEmpty) this.#queues.delete(tenant);
    }
  }
}

/** A semaphore with a deadline: a fixed number of permits, granted in the order of arrival. */
class Queue {
  #inside = 0;
  readonly #waiting = new Set<() => void>();

  get isEmpty(): boolean {
    return this.#inside === 0 && this.#waiting.size === 0;
  }

  /** @throws ServiceUnavailable when no permit is free by the deadline */
  async enter(deadline: number): Promise<void> {
    if (this.#inside < concurrentSearches) {
      this.#inside += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const timer = setTimeout(
      () => {
        if (this.#waiting.delete(resolve)) reject(new ServiceUnavailable('search'));
      },
      Math.max(0, deadline - performance.now()),
    );
    await promise.finally(() => clearTimeout(timer));
  }

  /** Grants the permit to the longest waiter. */
  leave(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else this.#inside -= 1;
  }
}
