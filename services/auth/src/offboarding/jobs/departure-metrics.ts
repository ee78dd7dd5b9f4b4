import type { DomainEvent } from '@ostiary/events';
import { Counter, Histogram, type ServiceKit } from '@ostiary/service';

/** How fast doors close behind people who leave. */
export interface DepartureMetrics {
  /** This service asked, and learnt that somebody has left. */
  learnt(): void;
  /** The transaction that carries out these departures has committed. */
  closed(departures: readonly DomainEvent[]): void;
  /** Every verifier was sent what it must refuse from now on. */
  published(departures: readonly DomainEvent[]): void;
}

const seconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600];

export function createDepartureMetrics({
  metrics,
  clock,
}: Pick<ServiceKit, 'metrics' | 'clock'>): DepartureMetrics {
  const registers = [metrics];
  const departures = new Counter({
    name: 'departures_total',
    help: 'People whose doors were closed because they left, by what said so',
    labelNames: ['trigger'] as const,
    registers,
  });
  const close = new Histogram({
    name: 'departure_close_seconds',
    help: "From the directory's change to the commit that ended everything of the person",
    buckets: seconds,
    registers,
  });
  const publish = new Histogram({
    name: 'departure_publish_seconds',
    help: "From the directory's change to the push to every verifier; without what only a pull delivers",
    buckets: seconds,
    registers,
  });
  const since = (event: DomainEvent): number => Math.max(0, clock() - Date.parse(event.occurredAt)) / 1_000;
  return {
    learnt: () => departures.inc({ trigger: 'directory.asked' }),
    closed(events) {
      for (const event of events) {
        departures.inc({ trigger: event.type });
        close.observe(since(event));
      }
    },
    published(events) {
      for (const event of events) publish.observe(since(event));
    },
  };
}
