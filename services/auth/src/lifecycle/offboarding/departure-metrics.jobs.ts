import { Counter, Histogram, type ServiceKit } from '@ostiary/service';
import type { ReportedOffboarding } from '../../tenancy/index.ts';

const seconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

export class OffboardingMetrics {
  readonly #clock: () => number;
  readonly #departures: Counter<'trigger'>;
  readonly #close: Histogram;
  readonly #publish: Histogram;

  constructor({ metrics, clock }: ServiceKit) {
    const registers = [metrics];
    this.#clock = clock;
    this.#departures = new Counter({
      name: 'departures_total',
      help: 'Number of offboarded users, by trigger',
      labelNames: ['trigger'] as const,
      registers,
    });
    this.#close = new Histogram({
      name: 'departure_close_seconds',
      help: 'Seconds from the change in the directory to the commit that revokes everything of the user',
      buckets: seconds,
      registers,
    });
    this.#publish = new Histogram({
      name: 'departure_publish_seconds',
      help: 'Seconds from the change in the directory to the push to every verifier, excluding revocations delivered by a pull',
      buckets: seconds,
      registers,
    });
  }

  /** Counts offboarded users after the transaction of their reports. */
  closed(departures: readonly ReportedOffboarding[]): void {
    for (const { trigger, leftAt } of departures) {
      this.#departures.inc({ trigger });
      if (leftAt !== undefined) this.#close.observe(this.#since(leftAt));
    }
  }

  /** Measures the time until all verifiers have received the revocations. */
  published(departures: readonly ReportedOffboarding[]): void {
    for (const { leftAt } of departures) {
      if (leftAt !== undefined) this.#publish.observe(this.#since(leftAt));
    }
  }

  #since(leftAt: string): number {
    return Math.max(0, this.#clock() - Date.parse(leftAt)) / 1_000;
  }
}
