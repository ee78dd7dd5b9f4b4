import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@ostiary/database';
import type { Logger } from '@ostiary/service';
import type { DomainEvent } from './contracts.ts';
import type { OutboxTable } from './outbox-table.ts';

export interface ImmediateDeliveryOptions {
  database: Pick<Database<unknown>, 'transaction'>;
  table: OutboxTable;
  log: Logger;
  /** Who is handed what closes doors at once. */
  consumers: readonly string[];
  /** @see RelayOptions */
  deliver(consumer: string, events: readonly DomainEvent[]): Promise<void>;
  /** How long, in ms, the consumer may take before the queue is given the events as well; 150 unless said. */
  patienceMs?: number | undefined;
  onDelivered(consumer: string, count: number): void;
  /** Something is left to the queue. */
  onLeft(): void;
}

/** Events of one round: those of a crowd are not to wait for one another, and the queue carries the rest beside it. */
const atOnce = 10;
const usualPatienceMs = 150;
/** How long, in ms, a consumer that failed is left to the queue alone. */
const restMs = 1_000;
/** How long, in ms, the queue is kept from what may just be handed over. */
const headStartMs = 25;

/**
 * The first way of events that close doors: handed to their consumers as soon as they are committed, by the process that has
 * committed them. Their deliveries stay locked meanwhile, so that no relay puts them into the queue too. What a consumer hasn't
 * taken in after a moment, or a process that ends, leaves behind is the queue's, as everything was before: the deliveries are
 * still pending. A consumer that did take them in knows them by its inbox.
 */
export class ImmediateDelivery {
  readonly #lanes: readonly Lane[];

  constructor(options: ImmediateDeliveryOptions) {
    this.#lanes = options.consumers.map((consumer) => new Lane(consumer, options));
  }

  /** To whom things are handed over now. What closes doors for the others, or is more than can be handed over, is the queue's. */
  get consumers(): string[] {
    return this.#lanes.filter((lane) => lane.open).map((lane) => lane.consumer);
  }

  /** Something that closes doors is committed. */
  begin(): void {
    for (const lane of this.#lanes) lane.begin();
  }

  /** Resolves when what was committed before has been handed over, or is left to the queue. */
  async settled(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.settled()));
  }

  /** The same, for no longer than the queue may be kept waiting. */
  async headStart(): Promise<void> {
    if (this.#lanes.every((lane) => lane.idle)) return;
    const over = new AbortController();
    await Promise.race([
      this.settled(),
      sleep(headStartMs, undefined, { signal: over.signal }).catch(() => undefined),
    ]);
    over.abort();
  }

  /** Lets the rounds under way finish. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }
}

/** What is handed to one consumer: one round after the other, so that what comes meanwhile goes together. */
class Lane {
  readonly consumer: string;
  readonly #options: ImmediateDeliveryOptions;
  /** How often something was committed, and how much of that is settled. */
  #begun = 0;
  #settled = 0;
  #running: Promise<void> | undefined;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #failing = false;
  /** More waits than one round takes. */
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
    return !this.#stopped && !this.#crowded && performance.now() >= this.#restsUntil;
  }

  begin(): void {
    if (this.#stopped || performance.now() < this.#restsUntil) return;
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
      // One line an outage, not one a round.
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

  /** @returns how many were handed over */
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

  /** @throws what the consumer did, or when it takes too long: what has gone out may then arrive nevertheless */
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
    throw new Error(`${this.consumer} has not taken events in within ${patienceMs} ms`);
  }

  #log(level: 'info' | 'warn', message: string, err?: unknown): void {
    this.#options.log[level]({ consumer: this.consumer, ...(err === undefined ? {} : { err }) }, message);
  }
}
