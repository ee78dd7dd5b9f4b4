import type { Database } from '@ostiary/database';
import type { Logger } from '@ostiary/service';
import { type DomainEvent, isUrgent } from './contracts.ts';
import type { OutboxTable, SentDelivery } from './outbox-table.ts';

export interface DirectDeliveryOptions {
  database: Pick<Database<unknown>, 'transaction' | 'sql'>;
  table: OutboxTable;
  log: Logger;
  /** @see RelayOptions */
  confirm(consumer: string, eventIds: string[]): Promise<{ missing: string[] }>;
  /** @see RelayOptions */
  deliver(consumer: string, events: readonly DomainEvent[]): Promise<void>;
  afterMs: number;
  onDelivered(consumer: string, count: number): void;
}

interface Sent {
  event: DomainEvent;
  at: number;
}

/** Events handed over at once, and looked at in one round; and their length as JSON, together. */
const atOnce = 50;
const longest = 500_000;
/** Events that are watched at most, and for how long, in ms; what is beyond is left to the reconciler. */
const mostWatched = 10_000;
const watchedForMs = 60_000;
/** How long all that waits for a queue that is away is handed over, in ms, before the queue is tried again. */
const longestSweepMs = 2_000;
/** Pauses after a failure, in ms. */
const pauses = { first: 100, longest: 2_000 };

/**
 * The second way of events that close doors: past the queue, straight to the consumer, when the queue is away or takes too
 * long about it, whatever the reason. The inbox sees to it that two ways are one effect.
 */
export class DirectDelivery {
  readonly #options: DirectDeliveryOptions;
  /** Consumer → event id → what was sent by the queue, and isn't known to have arrived. */
  readonly #sent = new Map<string, Map<string, Sent>>();
  /** Consumer → the last event that was handed over past a queue that is away, if that wasn't all. */
  readonly #sentUpTo = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #busy: Promise<void> = Promise.resolve();
  #failures = 0;
  #stopped = false;

  constructor(options: DirectDeliveryOptions) {
    this.#options = options;
  }

  /** Begins to watch what the queue was given. */
  watch(consumer: string, events: readonly DomainEvent[]): void {
    const known = this.#sent.get(consumer) ?? new Map<string, Sent>();
    this.#sent.set(consumer, known);
    for (const event of events) {
      if (isUrgent(event) && known.size < mostWatched) known.set(event.id, { event, at: performance.now() });
    }
    if (known.size > 0) this.#schedule(this.#options.afterMs);
  }

  /**
   * Hands over all that waits for a queue that can't be reached. A consumer that is away keeps no other one waiting, nor does an
   * event that can't be taken in keep those that come after it.
   */
  async sendPending(): Promise<void> {
    const { database, table } = this.#options;
    const consumers = await table.consumersWaiting(database.sql);
    const outcomes = await Promise.allSettled(consumers.map((consumer) => this.#sendAll(consumer)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** For as long as the queue may wait to be tried again; what is left goes on from there. */
  async #sendAll(consumer: string): Promise<void> {
    const until = performance.now() + longestSweepMs;
    let after = this.#sentUpTo.get(consumer);
    let failure: unknown;
    do {
      const round = await this.#sendSome(consumer, after);
      failure ??= round.failure;
      after = round.last;
    } while (after !== undefined && performance.now() < until && !this.#stopped);
    if (after === undefined) this.#sentUpTo.delete(consumer);
    else this.#sentUpTo.set(consumer, after);
    if (failure !== undefined) throw failure;
  }

  /** One round from an event on. @returns the last one that was tried; undefined when there was none */
  async #sendSome(consumer: string, after?: string): Promise<{ last?: string; failure?: unknown }> {
    const { database, table, confirm, deliver, onDelivered } = this.#options;
    return database.transaction(async (tx) => {
      const events = fitting(await table.lockPendingUrgent(tx, consumer, after, atOnce));
      const last = events.at(-1)?.id;
      if (last === undefined) return {};
      const missing = new Set<string>();
      const failure = await deliver(consumer, events).then(
        () => undefined,
        (error: unknown) => error ?? new Error('nothing was said'),
      );
      if (failure !== undefined) {
        // One that fails is enough for that; the others have had their effect. Who doesn't say so is away.
        const ids = events.map(({ id }) => id);
        for (const id of (await confirm(consumer, ids)).missing) missing.add(id);
      }
      const arrived = events.filter(({ id }) => !missing.has(id));
      await table.forget(
        tx,
        arrived.map(({ id }) => ({ eventId: id, consumer, generation: 0 })),
      );
      if (arrived.length > 0) onDelivered(consumer, arrived.length);
      return { last, failure };
    });
  }

  /** Those of the deliveries that were handed over now, because the queue hasn't brought them. Never fails: none, then. */
  async sendOverdue(consumer: string, overdue: readonly SentDelivery[]): Promise<ReadonlySet<string>> {
    const { database, table, deliver, onDelivered } = this.#options;
    const events = await table.urgentOf(
      database.sql,
      overdue.map(({ eventId }) => eventId),
    );
    if (events.length === 0) return new Set();
    const some = fitting(events);
    try {
      await deliver(consumer, some);
    } catch {
      return new Set();
    }
    onDelivered(consumer, some.length);
    return new Set(some.map(({ id }) => id));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#busy;
  }

  #schedule(ms: number): void {
    if (this.#stopped || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#busy = this.#look();
    }, ms).unref();
  }

  async #look(): Promise<void> {
    const { afterMs, log } = this.#options;
    let failed = false;
    await Promise.all(
      [...this.#sent].map(([consumer, known]) =>
        this.#assure(consumer, known).catch((error: unknown) => {
          failed = true;
          // One line an outage, not one a round.
          if (this.#failures > 0) return;
          log.warn(
            { event: 'delivery.offboarding_retry', consumer, err: error },
            'Offboarding events were not acknowledged; sending again',
          );
        }),
      ),
    );
    this.#failures = failed ? this.#failures + 1 : 0;
    const pause = Math.min(pauses.first * 2 ** Math.min(this.#failures, 8), pauses.longest);
    if ([...this.#sent.values()].some(({ size }) => size > 0)) this.#schedule(failed ? pause : afterMs / 4);
  }

  async #assure(consumer: string, known: Map<string, Sent>): Promise<void> {
    const { afterMs, confirm, deliver, onDelivered } = this.#options;
    const due = [...known.values()].filter(({ at }) => performance.now() - at >= afterMs).slice(0, atOnce);
    if (due.length === 0) return;
    for (const { event, at } of due) if (performance.now() - at > watchedForMs) known.delete(event.id);
    const { missing } = await confirm(
      consumer,
      due.map(({ event }) => event.id),
    );
    const late = new Set(missing);
    for (const { event } of due) if (!late.has(event.id)) known.delete(event.id);
    const events = fitting(due.flatMap(({ event }) => (late.has(event.id) ? [event] : [])));
    if (events.length === 0) return;
    await deliver(consumer, events);
    onDelivered(consumer, events.length);
    for (const { id } of events) known.delete(id);
  }
}

/** As many of the events as one request may hold; at least one. */
function fitting(events: readonly DomainEvent[]): DomainEvent[] {
  let length = 0;
  const some: DomainEvent[] = [];
  for (const event of events.slice(0, atOnce)) {
    length += JSON.stringify(event).length;
    if (some.length > 0 && length > longest) break;
    some.push(event);
  }
  return some;
}
