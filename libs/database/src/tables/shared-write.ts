import { AsyncLocalStorage } from 'node:async_hooks';
import { isConnectionError, sqlState } from '../errors.ts';

/** Maximum time in ms that callers wait behind a slow statement. */
const patienceMs = 25;

/** Maximum number of members per statement, all of which are repeated after a failure. */
const mostTogether = 64;

export interface SharedWriteOptions<M, R> {
  /**
   * Key of a member. Members with the same key never share a statement: the later must see the earlier one's
   * write.
   */
  keyOf(member: M): string;
  /**
   * Writes all members in one statement, which is one transaction, and returns the results by key. Omits,
   * unwritten, those that would have to wait for a lock.
   */
  together(members: readonly M[]): Promise<ReadonlyMap<string, R>>;
  /** Writes one member separately, waiting for locks. */
  alone(member: M): Promise<R>;
  /**
   * Called for each member that is written separately although it had company; frequent calls mean no
   * savings.
   */
  onSeparated?: (reason: SeparationReason) => void;
}

/**
 * `left_out`: omitted from the shared statement, which would have had to wait; `refused`: PostgreSQL rolled
 * back the shared statement.
 */
export type SeparationReason = 'left_out' | 'refused';

interface Waiting<M, R> {
  key: string;
  member: M;
  /** Runs in the caller's context and trace. */
  inContext: <T>(work: () => T) => T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Writes rows for many callers with one commit: calls during a statement share the next one, as do those of
 * one turn of the event loop. Each call resolves after the commit of its write, so a response guarantees the
 * same as a separate write; a single caller has its own statement and waits for none.
 * A problem of one member does not affect others: a member that would have to wait for a lock is written
 * separately, and a statement that PostgreSQL rejects, and has rolled back, is repeated one by one. After a
 * lost connection it is unknown whether the commit happened, so nothing is repeated.
 */
export class SharedWrite<M, R> {
  readonly #o: SharedWriteOptions<M, R>;
  #waiting: Waiting<M, R>[] = [];
  #underWay = 0;
  #turn: NodeJS.Immediate | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: SharedWriteOptions<M, R>) {
    this.#o = options;
  }

  /** @throws errors of `together` and `alone` */
  write(member: M): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const inContext = AsyncLocalStorage.snapshot() as Waiting<M, R>['inContext'];
    this.#waiting.push({ key: this.#o.keyOf(member), member, inContext, resolve, reject });
    if (this.#underWay === 0) this.#turn ??= setImmediate(() => this.#start());
    else this.#patience ??= setTimeout(() => this.#start(), patienceMs);
    return promise;
  }

  #start(): void {
    clearImmediate(this.#turn);
    clearTimeout(this.#patience);
    this.#turn = undefined;
    this.#patience = undefined;
    const [first, ...others] = this.#nextGroup();
    if (!first) return;
    this.#underWay += 1;
    // Members whose key is in the group, and those beyond the maximum.
    if (this.#waiting.length > 0) this.#patience = setTimeout(() => this.#start(), patienceMs);
    const written =
      others.length === 0
        ? this.#writeAlone(first)
        : first.inContext(() => this.#writeTogether([first, ...others]));
    void written.finally(() => {
      this.#underWay -= 1;
      if (this.#underWay === 0 && this.#waiting.length > 0) this.#start();
    });
  }

  #nextGroup(): Waiting<M, R>[] {
    const group = new Map<string, Waiting<M, R>>();
    const later: Waiting<M, R>[] = [];
    for (const waiting of this.#waiting) {
      if (group.size < mostTogether && !group.has(waiting.key)) group.set(waiting.key, waiting);
      else later.push(waiting);
    }
    this.#waiting = later;
    return [...group.values()];
  }

  async #writeAlone({ member, inContext, resolve, reject }: Waiting<M, R>): Promise<void> {
    try {
      resolve(await inContext(() => this.#o.alone(member)));
    } catch (error) {
      reject(error);
    }
  }

  async #writeTogether(group: readonly Waiting<M, R>[]): Promise<void> {
    let results: ReadonlyMap<string, R> | undefined;
    try {
      results = await this.#o.together(group.map(({ member }) => member));
    } catch (error) {
      // Only a rejection by PostgreSQL is certainly rolled back.
      if (isConnectionError(error) || sqlState(error) === undefined) {
        for (const { reject } of group) reject(error);
        return;
      }
    }
    for (const waiting of group) {
      const result = results?.get(waiting.key);
      if (result !== undefined) waiting.resolve(result);
      else {
        this.#o.onSeparated?.(results === undefined ? 'refused' : 'left_out');
        void this.#writeAlone(waiting);
      }
    }
  }
}
