import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@ostiary/database';
import type { Logger } from '@ostiary/service';
import type { DomainEvent } from './contracts.ts';
import type { OutboxTable } from './outbox-table.ts';

export interface ImmediateDeliveryOptions {
  database: Pick<Database<unknown>, 'transaction'>;
  table: OutboxTable;
  log: Logger;
  /** Consumers that get urgent events immediately. */
  consumers: readonly string[];
  /** @see RelayOptions */
  deliver(consumer: string, events: readonly DomainEvent[]): Promise<void>;
  /** Time in ms after which the queue gets the events too, default 150. */
  patienceMs?: number | undefined;
  onDelivered(consumer: string, count: number): void;
  /** Called if events remain for the queue. */
  onLeft(): void;
}

/**
 * Maximum number of events of one round, so that many do not wait for each other; the queue delivers the rest
 * in parallel.
 */
const atOnce = 10;
const usualPatienceMs = 150;
/** Time in ms without immediate delivery after a failure of the consumer. */
const restMs = 1_000;
/** Maximum time in ms that the queue waits for immediate delivery. */
const headStartMs = 25;

/**
 * First delivery path of urgent events: directly to the consumers after the commit, by the process that
 * committed them. Their deliveries stay locked in the meantime, so that no relay enqueues them too.
 * Deliveries that a consumer did not accept in time, or that a terminated process leaves, are still pending
 * for the queue. A consumer that did accept them knows them by its inbox.
 */
export class ImmediateDelivery {
  readonly #lanes: readonly Lane[];

  constructor(options: ImmediateDeliveryOptions) {
    this.#lanes = options.consumers.map((consumer) => new Lane(consumer, options));
  }

  /**
   * Consumers with immediate delivery now. Urgent events for others, and those beyond a round, go to the
   * queue.
   */
  get consumers(): string[] {
    return this.#lanes.filter((lane) => lane.open).map((lane) => lane.consumer);
  }

  /** Announces the commit of an urgent event. */
  begin(): void {
    for (const lane of this.#lanes) lane.begin();
  }

  /** Resolves once events committed before have been delivered or are left to the queue. */
  async settled(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.settled()));
  }

  /** As `settled`, within the maximum wait of the queue. */
  async headStart(): Promise<void> {
    if (this.#lanes.every((lane) => lane.idle)) return;
    const over = new AbortController();
    await Promise.race([
      this.settled(),
      sleep(headStartMs, undefined, { signal: over.signal }).catch(() => undefined),
    ]);
    over.abort();
  }

  /** Lets current rounds finish. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }
}

/** Deliveries to one consumer, round after round, so that events of the meantime are sent together. */
class Lane {
  readonly consumer: string;
  readonly #options: ImmediateDeliveryOptions;
  /** Number of commits, and number of settled ones. */
  #begun = 0;
  #settled = 0;
  #running: Promise<void> | undefined;
  #restsUntil = Number.NEGATIVE_INFINITY;
  /** Whether no commit was accepted since the last failure; the queue takes such events even after the rest. */
  #isResting = false;
  #failing = false;
  /** Whether more events wait than one round takes. */
  #crowded = false;
  #stopped = false;
  readonly #waiting = new Set<{ upTo: number; resolve: () => void }>();

  constructor(consumer: string, options: ImmediateDeliveryOptions) {
    this.consumer = consumer;
    this.#options = options;
  }

  get idle(): boolean {
    return this.#settled === this.#begun;
  }

  get open(): boolean {
    return !this.#stopped && !this.#crowded && !this.#isResting;
  }

  begin(): void {
    if (this.#stopped || performance.now() < this.#restsUntil) return;
    this.#isResting = false;
    this.#begun += 1;
    this.#running ??= this.#run();
  }

  settled(): Promise<void> {
    if (this.idle) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.add({ upTo: this.#begun, resolve });
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (!this.idle && !this.#stopped) {
        const upTo = this.#begun;
        this.#crowded = (await this.#round()) === atOnce;
        if (this.#crowded) this.#options.onLeft();
        else this.#settle(upTo);
      }
      if (this.#failing) this.#log('info', 'Offboarding events are delivered directly again');
      this.#failing = false;
    } catch (error) {
      this.#restsUntil = performance.now() + restMs;
      this.#isResting = true;
      // One log line per outage, not per round.
      if (!this.#failing) this.#log('warn', 'Offboarding events are delivered by the queue only', error);
      this.#failing = true;
      this.#options.onLeft();
    }
    this.#running = undefined;
    this.#crowded = false;
    this.#settle(this.#begun);
  }

  #settle(upTo: number): void {
    this.#settled = upTo;
    for (const waiter of this.#waiting) {
      if (waiter.upTo > upTo) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }

  /** @returns the number of delivered events */
  async #round(): Promise<number> {
    const { database, table, onDelivered } = this.#options;
    const { consumer } = this;
    const count = await database.transaction(async (tx) => {
      const events = await table.lockPendingUrgent(tx, consumer, undefined, atOnce);
      if (events.length === 0) return 0;
      await this.#deliver(events);
      await table.forget(
        tx,
        events.map(({ id }) => ({ eventId: id, consumer, generation: 0 })),
      );
      return events.length;
    });
    if (count > 0) onDelivered(consumer, count);
    return count;
  }

  /** @throws the consumer's error, or on timeout: sent events may still arrive */
  async #deliver(events: readonly DomainEvent[]): Promise<void> {
    const { deliver, patienceMs = usualPatienceMs } = this.#options;
    const over = new AbortController();
    const delivery = deliver(this.consumer, events);
    const inTime = await Promise.race([
      delivery.then(() => true),
      sleep(patienceMs, false, { signal: over.signal }).catch(() => true),
    ]).finally(() => over.abort());
    if (inTime) return;
    delivery.catch(() => undefined);
    throw new Error(`${this.consumer} did not confirm events within ${patienceMs} ms`);
  }

  #log(level: 'info' | 'warn', message: string, err?: unknown): void {
    this.#options.log[level]({ consumer: this.consumer, ...(err === undefined ? {} : { err }) }, message);
  }
}
