import type { Database, Sql } from '@ostiary/database';
import { ServiceUnavailable } from '@ostiary/service';

/** How long a search may take altogether, in ms: less than its callers wait, who would otherwise ask again beside it. */
const longestSearch = 4000;
/** Long searches of one tenant that this process runs at once: the others wait, and the connections are for everybody. */
const atOnce = 3;

/** Runs the statements of one search, as many as it takes, until its time is over. */
export type SearchTime = () => Sql;

/**
 * Lets the searches of a tenant that may take long take turns, and ends them in time.
 * @param longestMs for all statements of one search together
 */
export function searchTimes(
  database: Pick<Database<unknown>, 'transaction'>,
  longestMs = longestSearch,
): (tenant: string) => SearchTime {
  const lines = new Map<string, Line>();
  const inTurn = async <T>(tenant: string, deadline: number, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(tenant) ?? new Line();
    lines.set(tenant, line);
    try {
      await line.enter(deadline);
      try {
        return await work();
      } finally {
        line.leave();
      }
    } finally {
      if (line.isEmpty) lines.delete(tenant);
    }
  };
  return (tenant) => () => {
    const deadline = performance.now() + longestMs;
    return {
      query: (text, values) =>
        inTurn(tenant, deadline, () =>
          database.transaction(async (tx) => {
            const left = Math.max(1, Math.floor(deadline - performance.now()));
            await tx.query(`SET LOCAL statement_timeout = ${left}`);
            return tx.query(text, values);
          }),
        ),
    };
  };
}

/** So many are in at once; the others come in the order in which they came. */
class Line {
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

  /** Whoever has waited longest takes the place. */
  leave(): void {
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else this.#inside -= 1;
  }
}
