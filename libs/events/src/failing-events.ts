import type { Gauge, Logger } from '@ostiary/service';

/** How often it is looked whether a failing event has worked elsewhere, in ms. */
const lookEveryMs = 15_000;

interface FailingEventsOptions {
  consumer: string;
  log: Logger;
  gauge: Gauge<'consumer'>;
  /** What hasn't come back here for so long is another process's by now, in ms. */
  forgetAfterMs: number;
  /** Which of these have had no effect yet. */
  missing(eventIds: readonly string[]): Promise<readonly string[]>;
}

/** The events that fail again and again in this process, as `events_poisoned` counts them. */
export class FailingEvents {
  readonly #options: FailingEventsOptions;
  /** Event id → when it last failed here. */
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

  /** However it came in the end: alone or with others, by the queue or past it. */
  worked(eventId: string): void {
    if (!this.#failed.delete(eventId)) return;
    const { consumer, log } = this.#options;
    log.info({ event: 'inbox.recovered', consumer, eventId }, 'Event processed after earlier failures');
    this.#count();
  }

  /** What has worked in another process is in the inbox. Asks nobody while nothing fails. */
  async look(): Promise<void> {
    const oldest = performance.now() - this.#options.forgetAfterMs;
    for (const [id, failedAt] of this.#failed) if (failedAt < oldest) this.#failed.delete(id);
    const ids = [...this.#failed.keys()];
    if (ids.length > 0) {
      // Where PostgreSQL doesn't answer nothing has worked.
      const waiting = new Set(await this.#options.missing(ids).catch(() => ids));
      for (const id of ids) if (!waiting.has(id)) this.worked(id);
    }
    this.#count();
  }

  #count(): void {
    this.#options.gauge.set({ consumer: this.#options.consumer }, this.#failed.size);
  }
}
