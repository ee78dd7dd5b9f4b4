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

/**
 * Maximum number of events delivered in one request and checked in one round, and their maximum total length
 * as JSON.
 */
const atOnce = 50;
const longest = 500_000;
/** Maximum number of watched events and time in ms; the reconciler covers the rest. */
const mostWatched = 10_000;
const watchedForMs = 60_000;
/** Maximum time in ms of direct delivery for an unavailable queue, before the queue is tried again. */
const longestSweepMs = 2_000;
/** Pauses after a failure in ms. */
const pauses = { first: 100, longest: 2_000 };

/**
 * Second delivery path of urgent events: directly to the consumer if the queue is unavailable or slow. The
 * inbox ensures one effect.
 */
export class DirectDelivery {
  readonly #options: DirectDeliveryOptions;
  /** Consumer → event id → delivery sent to the queue without known arrival. */
  readonly #sent = new Map<string, Map<string, Sent>>();
  /** Consumer → last event delivered directly while the queue is unavailable, if more remain. */
  readonly #sentUpTo = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #busy: Promise<void> = Promise.resolve();
  #failures = 0;
  #stopped = false;

  constructor(options: DirectDeliveryOptions) {
    this.#options = options;
  }

  /** Watches events that were sent to the queue. */
  watch(consumer: string, events: readonly DomainEvent[]): void {
    const known = this.#sent.get(consumer) ?? new Map<string, Sent>();
    this.#sent.set(consumer, known);
    for (const event of events) {
      if (isUrgent(event) && known.size < mostWatched) known.set(event.id, { event, at: performance.now() });
    }
    if (known.size > 0) this.#schedule(this.#options.afterMs);
  }

  /**
   * Delivers all events that wait for an unavailable queue. An unavailable consumer does not delay others,
   * nor does a failing event delay later ones.
   */
  async sendPending(): Promise<void> {
    const { database, table } = this.#options;
    const consumers = await table.consumersWaiting(database.sql);
    const outcomes = await Promise.allSettled(consumers.map((consumer) => this.#sendAll(consumer)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Runs until the queue is due for the next attempt, and resumes after the last event. */
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

  /** Runs one round after an event. @returns the last event tried; undefined if there was none */
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
        // One failing event rejects the request, although the others took effect. A consumer that does not
        // confirm is unavailable.
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

  /** Delivers overdue events directly. @returns those delivered; empty on failure, without throwing */
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
          // One log line per outage, not per round.
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

/** Returns the first events that fit in one request, at least one. */
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
