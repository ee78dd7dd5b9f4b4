import type { Placed } from '../domain/event-window.ts';
import { comparePositions, type Position, positionText } from '../domain/position.ts';
import { type Ending, endings, errorOf } from './ending.ts';
import type { LiveOperation, LiveResult } from './operation.ts';

/** An event for subscribers, and the shared queries about it by token (see `LiveHub`). */
export interface Delivery {
  readonly placed: Placed;
  readonly asked: Map<string, Promise<unknown>> | undefined;
}

export interface SubscriptionOptions {
  operation: LiveOperation;
  /** Position of the subscriber. This process may not have read as far yet: events up to it were delivered already. */
  after?: Position | undefined;
  /**
   * Returns the subscriber's next event after a position, of those before the subscription began; undefined when
   * there is none, `lost` when it may have been dropped. It is called for one event at a time, so that thousands of
   * events wait in one place only, for any number of resuming subscribers.
   */
  missed?: (after: Position) => Placed | 'lost' | undefined;
  /** Returns the subscriber's result for an event; undefined when the subscriber may not receive it. */
  show: (delivery: Delivery) => Promise<LiveResult | undefined>;
  onClosed: () => void;
  /** Maximum number of waiting events. */
  capacity: number;
  /**
   * Resolves when the given number of results has been written; undefined when they are. The next result is yielded
   * after that.
   */
  drained?: (handedOut: number) => Promise<void> | undefined;
}

type Step = IteratorResult<LiveResult, undefined>;
const finished: Step = { done: true, value: undefined };

/**
 * One subscriber's events, in order, one at a time: the next is resolved after the last was taken. Not an async
 * generator function, because its `return` would wait for a pending `next` that may never resolve.
 */
export class LiveSubscription implements AsyncGenerator<LiveResult, undefined, undefined> {
  readonly operation: LiveOperation;
  readonly #options: SubscriptionOptions;
  #queue: Delivery[] = [];
  /** Position up to which missed events were delivered; undefined when all were. */
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

  /** Whether all received events were yielded. */
  get idle(): boolean {
    return !this.#busy && this.#queue.length === 0 && this.#caughtUpTo === undefined;
  }

  /** Adds an event. Returns false when the queue is full. */
  push(delivery: Delivery): boolean {
    if (this.#closed || this.#ending) return true;
    // It follows from the window, after the events before it.
    if (this.#caughtUpTo) return true;
    const { after, capacity } = this.#options;
    if (after && comparePositions(delivery.placed.at, after) <= 0) return true;
    if (this.#queue.length >= capacity) return false;
    this.#queue.push(delivery);
    this.#wake?.();
    return true;
  }

  /** Ends the subscription with an error that states the reason. Waiting events are dropped. */
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

  /** Returns the next missed event. Ends the subscription when it was dropped. */
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
