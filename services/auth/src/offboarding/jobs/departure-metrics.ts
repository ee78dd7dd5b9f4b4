import type { DomainEvent } from '@ostiary/events';
import { Counter, Histogram, type ServiceKit } from '@ostiary/service';

const seconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

/** How fast doors close behind people who leave. */
export class DepartureMetrics {
  readonly #clock: () => number;
  readonly #departures: Counter<'trigger'>;
  readonly #close: Histogram;
  readonly #publish: Histogram;

  constructor({ metrics, clock }: Pick<ServiceKit, 'metrics' | 'clock'>) {
    const registers = [metrics];
    this.#clock = clock;
    this.#departures = new Counter({
      name: 'departures_total',
      help: 'People whose doors were closed because they left, by what said so',
      labelNames: ['trigger'] as const,
      registers,
    });
    this.#close = new Histogram({
      name: 'departure_close_seconds',
      help: "From the directory's change to the commit that ended everything of the person",
      buckets: seconds,
      registers,
    });
    this.#publish = new Histogram({
      name: 'departure_publish_seconds',
      help: "From the directory's change to the push to every verifier; without what only a pull delivers",
      buckets: seconds,
      registers,
    });
  }

  /** This service asked, and learnt that a user has left. */
  learnt(): void {
    this.#departures.inc({ trigger: 'directory.asked' });
  }

  /** The transaction that carries out these departures has committed. */
  closed(departures: readonly DomainEvent[]): void {
    for (const event of departures) {
      this.#departures.inc({ trigger: event.type });
      this.#close.observe(this.#since(event));
    }
  }

  /** Every verifier was sent what it must refuse from now on. */
  published(departures: readonly DomainEvent[]): void {
    for (const event of departures) this.#publish.observe(this.#since(event));
  }

  #since(event: DomainEvent): number {
    return Math.max(0, this.#clock() - Date.parse(event.occurredAt)) / 1_000;
  }
}
