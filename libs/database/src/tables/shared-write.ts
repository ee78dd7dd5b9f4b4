import { AsyncLocalStorage } from 'node:async_hooks';
import { isConnectionError, sqlState } from '../errors.ts';

/** How long those who wait do so behind a statement that doesn't come back, in ms. */
const patienceMs = 25;

/** How many go in one statement: what fails for one is done again for so many. */
const mostTogether = 64;

export interface SharedWriteOptions<M, R> {
  /** Two with the same key never share a statement: of those the later must find what the earlier wrote. */
  keyOf(member: M): string;
  /**
   * Writes all of them in one statement, which is one transaction, and gives the results by their keys. It leaves out, unwritten, those that it
   * can't decide without waiting for somebody else.
   */
  together(members: readonly M[]): Promise<ReadonlyMap<string, R>>;
  /** Writes one by itself, and waits for whom it has to. */
  alone(member: M): Promise<R>;
  /** Called for each that has to go alone although others came with it: many of them, and nothing is saved. */
  onSeparated?: (reason: SeparationReason) => void;
}

/** `left_out`: of the shared statement, which would have had to wait for it; `refused`: PostgreSQL undid the statement they were all in. */
export type SeparationReason = 'left_out' | 'refused';

interface Waiting<M, R> {
  key: string;
  member: M;
  /** Runs in the caller's own context, and so in their trace. */
  inContext: <T>(work: () => T) => T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Writes rows for many callers at once, each for itself, with one commit: who comes while a statement is under way shares the next one, as do
 * those that come in the same turn of the event loop. Nobody is answered before the commit of what was written for them, so an answer promises
 * what it would without the others; a caller who is alone has a statement of their own, and waits for nobody.
 *
 * What one of them meets is not the others' trouble: whoever would have to wait for a lock is left out and goes alone, and a statement
 * that PostgreSQL refuses, all of it having been undone, is done again one by one. When a connection is lost nobody knows
 * what was committed, so then nothing is done again.
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

  /** @throws what `together` and `alone` throw */
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
    // Those of a key that is in the group already, and those beyond what one statement takes.
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
      // Only what PostgreSQL itself refused was certainly undone.
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
