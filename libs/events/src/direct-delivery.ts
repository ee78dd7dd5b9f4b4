import { type Logger, within } from '@ostiary/service';
import { type DomainEvent, isUrgent } from './contracts.ts';

export interface DirectDeliveryOptions {
  log: Logger;
  /** @see RelayOptions */
  deliver(consumer: string, events: readonly DomainEvent[]): Promise<void>;
  /** @see RelayOptions */
  directMs?: number | undefined;
  onDelivered(consumer: string, count: number): void;
}

/** Maximum number of events of one call, and their maximum length as JSON. */
const batchSize = 50;
const longest = 500_000;
/** Maximum number of events delivered beside their job. For more, parallel workers are faster than one call. */
const besideJob = 10;
/** Pause in ms after a failure. */
const restMs = 1_000;

/** Delivers urgent events without the queue: beside their job, and again if the job is late. */
export class DirectDelivery {
  readonly #options: DirectDeliveryOptions;
  /** Consumer → end of the pause after a failure, by performance.now(). */
  readonly #restsUntil = new Map<string, number>();

  constructor(options: DirectDeliveryOptions) {
    this.#options = options;
  }

  /** Delivers the urgent ones of events that are being enqueued, unless they are many. @returns those confirmed */
  async besideJob(consumer: string, enqueued: readonly DomainEvent[]): Promise<DomainEvent[]> {
    const { log, directMs = 150 } = this.#options;
    const events = enqueued.filter(isUrgent);
    const rests = performance.now() < (this.#restsUntil.get(consumer) ?? 0);
    if (events.length === 0 || events.length > besideJob || rests) return [];
    if (fitting(events).length < events.length) return [];
    try {
      await within(directMs, this.#deliver(consumer, events));
      return events;
    } catch (err) {
      this.#restsUntil.set(consumer, performance.now() + restMs);
      log.info(
        { event: 'outbox.direct_delivery_failed', consumer, err },
        'Events are delivered by the queue only',
      );
      return [];
    }
  }

  /**
   * Delivers the first urgent events that fit in one call.
   * @returns the events of the call, and its failure: some may have had their effect
   */
  async late(
    consumer: string,
    urgent: readonly DomainEvent[],
  ): Promise<{ events: DomainEvent[]; failure?: unknown }> {
    const events = fitting(urgent);
    if (events.length === 0) return { events };
    try {
      await this.#deliver(consumer, events);
      return { events };
    } catch (error) {
      return { events, failure: error ?? new Error('rejected without a reason') };
    }
  }

  async #deliver(consumer: string, events: readonly DomainEvent[]): Promise<void> {
    await this.#options.deliver(consumer, events);
    this.#options.onDelivered(consumer, events.length);
  }
}

/** Returns the first events that fit in one call, at least one if there are any. */
function fitting(events: readonly DomainEvent[]): DomainEvent[] {
  let length = 0;
  const end = events.slice(0, batchSize).findIndex((event, index) => {
    length += Buffer.byteLength(JSON.stringify(event));
    return index > 0 && length > longest;
  });
  return events.slice(0, end < 0 ? batchSize : end);
}
