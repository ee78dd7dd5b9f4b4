import type { Gauge, Logger } from '@ostiary/service';

/** Interval in ms between checks whether failing events succeeded elsewhere. */
const lookEveryMs = 15_000;

interface FailingEventsOptions {
  consumer: string;
  log: Logger;
  gauge: Gauge<'consumer'>;
  /** Time in ms without an attempt here after which an event belongs to another process. */
  forgetAfterMs: number;
  /** Returns the events without effect. */
  missing(eventIds: readonly string[]): Promise<readonly string[]>;
}

/** Events that fail repeatedly in this process, as `events_poisoned` counts them. */
export class FailingEvents {
  readonly #options: FailingEventsOptions;
  /** Event id → time of the last failure here. */
  readonly #failed = new Map<string, number>();
  #looking: NodeJS.Timeout | undefined;

  constructor(options: FailingEventsOptions) {
    this.#options = options;
    this.#count();
  }

  start(): void {
    this.#looking = setInterval(() => void this.look(), lookEveryMs).unref();
  }

  stop(): void {
    clearInterval(this.#looking);
  }

  failed(eventId: string): void {
    this.#failed.set(eventId, performance.now());
    this.#count();
  }

  /** Removes an event that succeeded, on any delivery path. */
  worked(eventId: string): void {
    if (!this.#failed.delete(eventId)) return;
    const { consumer, log } = this.#options;
    log.info({ event: 'inbox.recovered', consumer, eventId }, 'Event processed after earlier failures');
    this.#count();
  }

  /**
   * Removes events that succeeded in another process, according to the inbox. Does nothing while no event
   * fails.
   */
  async look(): Promise<void> {
    const oldest = performance.now() - this.#options.forgetAfterMs;
    for (const [id, failedAt] of this.#failed) if (failedAt < oldest) this.#failed.delete(id);
    const ids = [...this.#failed.keys()];
    if (ids.length > 0) {
      // Without PostgreSQL no event has succeeded.
      const waiting = new Set(await this.#options.missing(ids).catch(() => ids));
      for (const id of ids) if (!waiting.has(id)) this.worked(id);
    }
    this.#count();
  }

  #count(): void {
    this.#options.gauge.set({ consumer: this.#options.consumer }, this.#failed.size);
  }
}
