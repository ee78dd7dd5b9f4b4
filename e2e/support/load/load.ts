import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo, DemoTenant } from '../demo.ts';
import { adminToken } from '../sign-in.ts';
import { type Caller, hire } from './callers.ts';
import { type Kind, kinds, signIn, type Use } from './kinds.ts';
import { Sender } from './sender.ts';

/** Failed requests of a kind with the same error. */
export interface Failure {
  kind: string;
  /** Status, error in the body, or error of the client. */
  said: string;
  count: number;
  /** Whether client libraries retry it; see `retried.ts`. */
  isRetried: boolean;
  /** Seconds after the start of the load. */
  first: number;
}

export interface LoadOptions {
  demo: Demo;
  /** Number of users whose tokens are used, of the two tenants alternately. */
  people: number;
  /** Number of concurrent requests. */
  concurrency: number;
  /** Pause in ms between two requests of one worker, default 0. */
  pauseMs?: number;
  /** Interval in ms between two sign-ins over the pages, default none. */
  signInEveryMs?: number;
}

/** Sends requests of every kind until it is stopped, and counts the results. */
export class Load {
  readonly #options: LoadOptions;
  readonly #sender = new Sender();
  readonly #counts = new Map<string, number>();
  readonly #failures = new Map<string, Failure>();
  readonly #callers: Caller[] = [];
  readonly #over = new AbortController();
  #working: Promise<unknown> = Promise.resolve();
  #begunAt = 0;
  #turn = 0;
  #lastFailureAt: number | undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  get requests(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Number of requests by kind. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  get failures(): readonly Failure[] {
    return [...this.#failures.values()];
  }

  /** When the last request that failed was sent (`performance.now()`). */
  get lastFailureAt(): number | undefined {
    return this.#lastFailureAt;
  }

  /** Signs the users in and starts the load. */
  async begin(): Promise<void> {
    const { demo, people, concurrency } = this.#options;
    const tenants: DemoTenant[] = Object.values(demo.tenants);
    for (let number = 0; number < people; number += 1) {
      const tenant = tenants[number % tenants.length] as DemoTenant;
      const admin = await adminToken(tenant);
      this.#callers.push(await hire(demo, tenant, admin, number));
    }
    this.#begunAt = performance.now();
    this.#working = Promise.all([this.#signIn(), ...Array.from({ length: concurrency }, () => this.#work())]);
  }

  /** Resolves when all pending requests have been answered. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#working;
    await this.#sender.close();
  }

  async #work(): Promise<void> {
    const { pauseMs = 0 } = this.#options;
    while (!this.#over.signal.aborted) {
      const turn = this.#turn++;
      const caller = this.#callers[turn % this.#callers.length] as Caller;
      const kind = kinds[Math.floor(turn / this.#callers.length) % kinds.length] as Kind;
      await this.#once(kind, caller, turn);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  }

  async #signIn(): Promise<void> {
    const { signInEveryMs } = this.#options;
    if (signInEveryMs === undefined) return;
    for (let turn = 0; !this.#over.signal.aborted; turn += 1) {
      await this.#once(signIn, this.#callers[turn % this.#callers.length] as Caller, turn);
      await sleep(signInEveryMs);
    }
  }

  async #once(kind: Kind, caller: Caller, turn: number): Promise<void> {
    const use: Use = { demo: this.#options.demo, caller, sender: this.#sender, turn };
    const begunAt = performance.now();
    const outcome = await kind.use(use);
    // A refresh token can be used by one request at a time; the others skip it.
    if (outcome === 'not now') return;
    this.#counts.set(kind.name, (this.#counts.get(kind.name) ?? 0) + 1);
    if (outcome === 'well') return;
    this.#lastFailureAt = Math.max(this.#lastFailureAt ?? 0, begunAt);
    const { said, isRetried } = outcome;
    const key = `${kind.name} ${said}`;
    const first = Math.round((begunAt - this.#begunAt) / 100) / 10;
    const failure = this.#failures.get(key) ?? { kind: kind.name, said, isRetried, count: 0, first };
    failure.count += 1;
    this.#failures.set(key, failure);
  }
}
