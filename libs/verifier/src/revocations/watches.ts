import { clockTolerance } from '../tokens/signature.ts';
import type { VerifiedToken } from '../tokens/verified-token.ts';

/**
 * Reason why a token is no longer valid. unverifiable: neither the revocation list nor introspection confirmed it for
 * the maximum staleness.
 */
export type EndReason = 'revoked' | 'expired' | 'unverifiable';

/** Listeners for the end of one token. */
interface Watch<T> {
  token: T;
  listeners: Set<(reason: EndReason) => void>;
  timer: NodeJS.Timeout | undefined;
  /** Time at which the list or introspection last confirmed the token. */
  confirmedAt: number;
  /** Whether it is introspected, or waits for it. */
  isDue: boolean;
}

const maxTimerMs = 2_147_483_647;
const maxParallel = 16;
/** Number of checks during the maximum staleness. */
const checks = 10;

export interface WatchesOptions<T> {
  list: { readonly freshAt: number; revokes(token: T): boolean };
  maxStalenessMs: number;
  /** Introspects a token. Returns whether it is active. Rejects if that is unknown. */
  isActive(token: T): Promise<boolean>;
  /** Clock of the list, in milliseconds. */
  elapsed: () => number;
  /** Wall clock in milliseconds. */
  clock: () => number;
  onProblem: (error: Error) => void;
}

/**
 * Listeners for the end of tokens, such as of open sockets. Each is called once. While the list is not complete, each
 * token is introspected once per half of the maximum staleness, so that none is trusted for longer than that time.
 */
export class Watches<T extends VerifiedToken> {
  readonly #o: WatchesOptions<T>;
  readonly #watches = new Map<T, Watch<T>>();
  #checking: NodeJS.Timeout | undefined;
  #due: Watch<T>[] = [];
  #running = 0;

  constructor(options: WatchesOptions<T>) {
    this.#o = options;
  }

  /** Adds a listener. Returns a function that removes it. */
  add(token: T, listener: (reason: EndReason) => void): () => void {
    const watch = this.#watches.get(token) ?? this.#watch(token);
    // The same function can be added for several sockets.
    const own = (reason: EndReason): void => listener(reason);
    watch.listeners.add(own);
    // A token that ended before this call, but not within it.
    queueMicrotask(() => {
      if (this.#o.list.revokes(token)) this.#end(watch, 'revoked');
    });
    return () => {
      watch.listeners.delete(own);
      if (watch.listeners.size === 0) this.#remove(watch);
    };
  }

  /** Calls the listeners of revoked tokens. */
  check(): void {
    for (const watch of this.#watches.values())
      if (this.#o.list.revokes(watch.token)) this.#end(watch, 'revoked');
  }

  /** Removes all listeners. */
  clear(): void {
    for (const watch of this.#watches.values()) this.#remove(watch);
    this.#due = [];
  }

  #watch(token: T): Watch<T> {
    const { elapsed, maxStalenessMs } = this.#o;
    // A list that is not complete yet leaves half of the time for introspection.
    const confirmedAt = Math.max(this.#o.list.freshAt, elapsed() - maxStalenessMs / 2);
    const watch: Watch<T> = { token, listeners: new Set(), timer: undefined, confirmedAt, isDue: false };
    this.#watches.set(token, watch);
    this.#await(watch);
    this.#checking ??= setInterval(() => this.#checkAge(), maxStalenessMs / checks).unref();
    return watch;
  }

  #await(watch: Watch<T>): void {
    const restMs = (watch.token.expiresAt + clockTolerance) * 1_000 - this.#o.clock();
    const next = (): void => (restMs > maxTimerMs ? this.#await(watch) : this.#end(watch, 'expired'));
    watch.timer = setTimeout(next, Math.min(maxTimerMs, Math.max(0, restMs))).unref();
  }

  /** Introspects tokens that nothing confirmed recently, and ends those whose time is over before the next check. */
  #checkAge(): void {
    const { elapsed, list, maxStalenessMs } = this.#o;
    const now = elapsed();
    for (const watch of this.#watches.values()) {
      watch.confirmedAt = Math.max(watch.confirmedAt, list.freshAt);
      const age = now - watch.confirmedAt;
      if (age > maxStalenessMs * (1 - 1 / checks)) this.#end(watch, 'unverifiable');
      else if (age >= maxStalenessMs / 2 && !watch.isDue) {
        watch.isDue = true;
        this.#due.push(watch);
      }
    }
    while (this.#running < maxParallel && this.#due.length > 0) void this.#introspectDue();
  }

  async #introspectDue(): Promise<void> {
    this.#running += 1;
    for (let watch = this.#due.shift(); watch !== undefined; watch = this.#due.shift()) {
      await this.#introspect(watch);
      watch.isDue = false;
    }
    this.#running -= 1;
  }

  async #introspect(watch: Watch<T>): Promise<void> {
    const { elapsed, isActive, list } = this.#o;
    const askedAt = elapsed();
    const isConfirmed = list.freshAt > watch.confirmedAt;
    if (isConfirmed || this.#watches.get(watch.token) !== watch) return;
    // After a failure, the next check introspects the token again.
    const active = await isActive(watch.token).catch(() => undefined);
    if (active) watch.confirmedAt = Math.max(watch.confirmedAt, askedAt);
    if (active === false) this.#end(watch, 'revoked');
  }

  #end(watch: Watch<T>, reason: EndReason): void {
    if (this.#watches.get(watch.token) !== watch) return;
    this.#remove(watch);
    for (const listener of watch.listeners)
      try {
        listener(reason);
      } catch (error) {
        this.#o.onProblem(error instanceof Error ? error : new Error(String(error)));
      }
  }

  #remove(watch: Watch<T>): void {
    clearTimeout(watch.timer);
    if (this.#watches.get(watch.token) === watch) this.#watches.delete(watch.token);
    if (this.#watches.size > 0) return;
    clearInterval(this.#checking);
    this.#checking = undefined;
  }
}
