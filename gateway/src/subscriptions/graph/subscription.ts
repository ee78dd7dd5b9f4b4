import type { Placed } from '../domain/event-window.ts';
import { comparePositions, type Position, positionText } from '../domain/position.ts';
import { type Ending, endings, errorOf } from './ending.ts';
import type { LiveOperation, LiveResult } from './operation.ts';

/** An event on its way to subscribers, and what was asked about it for whom (see `LiveHub`). */
export interface Delivery {
  readonly placed: Placed;
  readonly asked: Map<string, Promise<unknown>> | undefined;
}

export interface SubscriptionOptions {
  operation: LiveOperation;
  /** Where the subscriber had got to. This process may not have read as far yet: they have seen what comes until then. */
  after?: Position | undefined;
  /**
   * The subscriber's next event after a position, of those that came before they were here; undefined when they have caught up, `lost`
   * when it may be gone. Asked for one at a time: thousands of events wait in one place only, however many go on from there.
   */
  missed?: (after: Position) => Placed | 'lost' | undefined;
  /** What the subscriber gets of an event; undefined when it is none of theirs after all. */
  show: (delivery: Delivery) => Promise<LiveResult | undefined>;
  onClosed: () => void;
  /** Events that may wait. */
  capacity: number;
  /**
   * Resolves when as many results as were handed out have been written, undefined when they have: the next is handed
   * out after that.
   */
  drained?: (handedOut: number) => Promise<void> | undefined;
}

type Step = IteratorResult<LiveResult, undefined>;
const finished: Step = { done: true, value: undefined };

/**
 * One subscriber's events, in order, one at a time: the next is put together when the last has been taken. Not an async
 * generator function, because `return` of one waits for a `next` that may never come.
 */
export class LiveSubscription implements AsyncGenerator<LiveResult, undefined, undefined> {
  readonly operation: LiveOperation;
  readonly #options: SubscriptionOptions;
  #queue: Delivery[] = [];
  /** How far they have caught up with what they missed; undefined when they have. */
  #caughtUpTo: Position | undefined;
  #wake: (() => void) | undefined;
  #ending: Ending | undefined;
  #busy = false;
  #closed = false;
  #handedOut = 0;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.operation = options.operation;
    const { after, missed } = options;
    if (after && missed?.(after)) this.#caughtUpTo = after;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Whether it has handed out all it was given. */
  get idle(): boolean {
    return !this.#busy && this.#queue.length === 0 && this.#caughtUpTo === undefined;
  }

  /** Hands it an event. False when too many wait already: nothing is buffered without end. */
  push(delivery: Delivery): boolean {
    if (this.#closed || this.#ending) return true;
    // It comes in its turn, after what came before.
    if (this.#caughtUpTo) return true;
    const { after, capacity } = this.#options;
    if (after && comparePositions(delivery.placed.at, after) <= 0) return true;
    if (this.#queue.length >= capacity) return false;
    this.#queue.push(delivery);
    this.#wake?.();
    return true;
  }

  /** Ends it with an error that says why; events that wait are dropped. */
  end(ending: Ending): void {
    if (this.#closed || this.#ending) return;
    this.#ending = ending;
    this.#queue = [];
    this.#wake?.();
  }

  async next(): Promise<Step> {
    while (!this.#closed) {
      const blocked = this.#ending ? undefined : this.#options.drained?.(this.#handedOut);
      if (blocked) {
        await Promise.race([blocked, this.#woken()]);
        continue;
      }
      if (this.#ending) {
        const value = { errors: [errorOf(this.#ending)] };
        this.#close();
        return { done: false, value };
      }
      const delivery = this.#missed() ?? this.#queue.shift();
      if (!delivery) {
        if (!this.#ending) await this.#woken();
        continue;
      }
      const value = await this.#shown(delivery);
      if (value && !this.#ending && !this.#closed) return { done: false, value };
    }
    return finished;
  }

  /** The next of what they missed. Ends the subscription when it is gone. */
  #missed(): Delivery | undefined {
    if (!this.#caughtUpTo) return undefined;
    const placed = this.#options.missed?.(this.#caughtUpTo);
    if (placed === 'lost') {
      this.end(endings.gap);
      return undefined;
    }
    this.#caughtUpTo = placed?.at;
    return placed && { placed, asked: undefined };
  }

  async return(): Promise<Step> {
    this.#close();
    return finished;
  }

  async throw(): Promise<Step> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
  }

  async #shown(delivery: Delivery): Promise<LiveResult | undefined> {
    this.#busy = true;
    try {
      const result = await this.#options.show(delivery);
      if (!result) return undefined;
      this.#handedOut += 1;
      return { ...result, extensions: { eventId: positionText(delivery.placed.at) } };
    } finally {
      this.#busy = false;
    }
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = undefined;
        resolve();
      };
    });
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue = [];
    this.#wake?.();
    this.#options.onClosed();
  }
}
