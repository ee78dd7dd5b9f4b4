import { type Database, type Sql, statement } from '@ostiary/database';
import { ServiceUnavailable } from '@ostiary/service';

/** How long a search may take altogether, in ms: less than its callers wait, who would otherwise ask again beside it. */
const longestSearch = 4000;
/** Long searches of one tenant that this process runs at once: the others wait, and leave connections to other tenants. */
const atOnce = 3;

/** Until the transaction ends, in ms. */
const limitTime = statement({
  name: 'search.limit time',
  reason: 'search',
  text: `SELECT set_config('statement_timeout', $milliseconds, true)`,
  parameters: { milliseconds: 'text' },
  columns: { set_config: 'text' },
});

/** Runs a statement of a search, which may run again after a deadlock. */
export type RunInTime = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>;

/** Runs the statements of one search, as many as it takes, until its time is over. */
export type SearchTime = () => RunInTime;

/** Lets the searches of each tenant that may take long take turns, and ends them in time. */
export class SearchTimes {
  readonly #database: Pick<Database<unknown>, 'transaction'>;
  readonly #longestMs: number;
  readonly #queues = new Map<string, Queue>();

  /** @param longestMs for all statements of one search together */
  constructor(database: Pick<Database<unknown>, 'transaction'>, longestMs = longestSearch) {
    this.#database = database;
    this.#longestMs = longestMs;
  }

  of(tenant: string): SearchTime {
    return () => {
      const deadline = performance.now() + this.#longestMs;
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

/** A semaphore with a deadline: so many are in at once, the others enter in the order of their arrival. */
class Queue {
  #inside = 0;
  readonly #waiting = new Set<() => void>();

  get isEmpty(): boolean {
    return this.#inside === 0 && this.#waiting.size === 0;
  }

  /** @throws ServiceUnavailable when it isn't one's turn by the deadline */
  async enter(deadline: number): Promise<void> {
    if (this.#inside < atOnce) {
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

  /** The one that has waited longest takes the place. */
  leave(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else this.#inside -= 1;
  }
}
