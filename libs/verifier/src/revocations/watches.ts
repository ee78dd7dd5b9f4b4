import { clockTolerance } from '../tokens/signature.ts';
import type { VerifiedToken } from '../tokens/verified-token.ts';

/** Reason why a token is no longer valid. */
export type EndReason = 'revoked' | 'expired';

interface Watch {
  token: VerifiedToken;
  listener: (reason: EndReason) => void;
  timer: NodeJS.Timeout | undefined;
}

const maxTimerMs = 2_147_483_647;

export interface WatchesOptions {
  isRevoked: (token: VerifiedToken) => boolean;
  /** Wall clock in milliseconds. */
  clock: () => number;
  onProblem: (error: Error) => void;
}

/** Listeners for the end of tokens, such as of open sockets. Each is called once. */
export class Watches {
  readonly #o: WatchesOptions;
  readonly #watches = new Set<Watch>();

  constructor(options: WatchesOptions) {
    this.#o = options;
  }

  /** Adds a listener. Returns a function that removes it. */
  add(token: VerifiedToken, listener: (reason: EndReason) => void): () => void {
    const watch: Watch = { token, listener, timer: undefined };
    this.#watches.add(watch);
    this.#await(watch);
    // A token that ended before this call, but not within it.
    queueMicrotask(() => {
      if (this.#o.isRevoked(token)) this.#end(watch, 'revoked');
    });
    return () => this.#remove(watch);
  }

  /** Calls the listeners of revoked tokens. */
  check(): void {
    for (const watch of this.#watches) if (this.#o.isRevoked(watch.token)) this.#end(watch, 'revoked');
  }

  /** Removes all listeners. */
  clear(): void {
    for (const watch of this.#watches) this.#remove(watch);
  }

  #await(watch: Watch): void {
    const restMs = (watch.token.expiresAt + clockTolerance) * 1_000 - this.#o.clock();
    const next = (): void => (restMs > maxTimerMs ? this.#await(watch) : this.#end(watch, 'expired'));
    watch.timer = setTimeout(next, Math.min(maxTimerMs, Math.max(0, restMs))).unref();
  }

  #end(watch: Watch, reason: EndReason): void {
    if (!this.#watches.has(watch)) return;
    this.#remove(watch);
    try {
      watch.listener(reason);
    } catch (error) {
      this.#o.onProblem(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #remove(watch: Watch): void {
    clearTimeout(watch.timer);
    this.#watches.delete(watch);
  }
}
