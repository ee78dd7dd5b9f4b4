import { ServerError } from '../server/authorization-server.ts';
import type { FeedPage } from '../server/feed-page.ts';
import type { DigestList } from './digest-list.ts';

export interface FollowerOptions {
  list: DigestList;
  read(o: { after?: string; waitSeconds: number; signal: AbortSignal }): Promise<FeedPage>;
  /** Called after entries were added to a complete list. */
  onEntries(): void;
  /** Called for the first failure of a series, and when its reason changes. */
  onProblem(error: Error): void;
  /** Milliseconds. */
  monotonic: () => number;
  /** Seconds that a request may be held. */
  waitSeconds: number;
}

/** Minimum interval in milliseconds between requests while there are no entries, for servers that do not hold them. */
const minIntervalMs = 1_000;
const backoff = { firstMs: 250, maxMs: 5_000, refusedMs: 30_000 } as const;

/**
 * Keeps a list complete: one request is always held at the server, and its response has the next entries.
 * Neither its timers nor a held request keep the process running.
 */
export class FeedFollower {
  readonly #o: FollowerOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #cursor: string | undefined;
  /** Whether the list has all pages up to the cursor. */
  #isComplete = false;
  /** Whether entries were added since the list was last complete. */
  #hasEntries = false;
  #failures = 0;
  #lastProblem: string | undefined;
  readonly #waiters = new Set<{ resolve: () => void; reject: (error: Error) => void }>();

  constructor(options: FollowerOptions) {
    this.#o = options;
  }

  /** Starts following once. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when the list is complete. Rejects if the server rejects this client, or after a timeout. */
  complete(timeoutMs: number): Promise<void> {
    if (this.#o.list.freshAt > Number.NEGATIVE_INFINITY) return Promise.resolve();
    return new Promise<void>((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        settle();
      };
      const waiter = {
        resolve: () => end(resolve),
        reject: (error: Error) => end(() => reject(error)),
      };
      const timer = setTimeout(
        () =>
          waiter.reject(
            new Error(this.#lastProblem ?? `The revocation feed was not read in ${timeoutMs} ms.`),
          ),
        timeoutMs,
      );
      this.#waiters.add(waiter);
    });
  }

  stop(): void {
    this.#stopping.abort();
    for (const { reject } of this.#waiters) reject(new Error('The verifier was stopped.'));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const begunAt = this.#o.monotonic();
      let restMs = 0;
      try {
        const isIdle = await this.#read();
        this.#failures = 0;
        this.#lastProblem = undefined;
        if (isIdle) restMs = minIntervalMs - (this.#o.monotonic() - begunAt);
      } catch (error) {
        if (signal.aborted) return;
        restMs = this.#afterFailure(error as Error);
      }
      await pause(restMs, signal);
    }
  }

  /** Reads one page. Returns whether a request that the server may hold had no entries. */
  async #read(): Promise<boolean> {
    const { list, read, monotonic, waitSeconds } = this.#o;
    const { signal } = this.#stopping;
    // A request that reads pages, or follows a failure, is answered immediately, so that its age is small.
    const isHeld = this.#isComplete && this.#failures === 0;
    const askedAt = monotonic();
    const page = await read({
      ...(this.#cursor === undefined ? {} : { after: this.#cursor }),
      waitSeconds: isHeld ? waitSeconds : 0,
      signal,
    });
    list.apply(page);
    this.#cursor = page.cursor;
    this.#isComplete = !page.more;
    this.#hasEntries ||= page.entries.length > 0;
    if (page.more) return false;
    list.touch(Math.min(monotonic(), askedAt + (page.complete_after_ms ?? 0)));
    for (const { resolve } of this.#waiters) resolve();
    if (this.#hasEntries) this.#o.onEntries();
    this.#hasEntries = false;
    return isHeld && page.entries.length === 0;
  }

  /** Returns the delay in milliseconds before the next request. */
  #afterFailure(error: Error): number {
    const { onProblem, list } = this.#o;
    const problem = error instanceof ServerError ? error : undefined;
    const isLostCursor =
      problem?.status === 400 && problem.code === 'invalid_request' && this.#cursor !== undefined;
    // The list is read again from the beginning; until then it is stale.
    if (isLostCursor || !problem) {
      this.#cursor = undefined;
      this.#isComplete = false;
      list.clear();
    }
    this.#failures += 1;
    if (error.message !== this.#lastProblem) {
      this.#lastProblem = error.message;
      onProblem(error);
    }
    if (problem?.isRefusal) for (const { reject } of this.#waiters) reject(error);
    if (isLostCursor && this.#failures === 1) return 0;
    const most = problem?.isRefusal ? backoff.refusedMs : backoff.maxMs;
    const ms = Math.min(most, backoff.firstMs * 2 ** Math.min(this.#failures - 1, 10));
    return Math.max(ms * (0.5 + Math.random() / 2), (problem?.retryAfter ?? 0) * 1_000);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms).unref();
    signal.addEventListener('abort', end);
  });
}
