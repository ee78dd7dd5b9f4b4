import { Counter, Gauge, Histogram, type Registry } from '@ostiary/service';

/** A process may have several relays and consumers, and a registry accepts each name once. */
function once<M>(registry: Registry, name: string, make: () => M): M {
  return (registry.getSingleMetric(name) as M | undefined) ?? make();
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

type Labels<L extends string> = readonly L[];

const counter = <L extends string>(registry: Registry, name: string, help: string, labelNames: Labels<L>) =>
  once(registry, name, () => new Counter<L>({ name, help, labelNames, registers: [registry] }));

const gauge = <L extends string>(registry: Registry, name: string, help: string, labelNames: Labels<L>) =>
  once(registry, name, () => new Gauge<L>({ name, help, labelNames, registers: [registry] }));

const histogram = <L extends string>(registry: Registry, name: string, help: string, labelNames: Labels<L>) =>
  once(
    registry,
    name,
    () => new Histogram<L>({ name, help, labelNames, buckets: seconds, registers: [registry] }),
  );

export const relayMetrics = (registry: Registry) => ({
  age: gauge(registry, 'outbox_age_seconds', 'Age in seconds of the oldest unconfirmed delivery', [
    'consumer',
  ]),
  open: gauge(registry, 'outbox_deliveries', 'Number of deliveries not confirmed yet, by state', [
    'consumer',
    'state',
  ]),
  enqueued: counter(registry, 'outbox_enqueued_total', 'Number of deliveries added to the queue', [
    'consumer',
  ]),
  confirmed: counter(
    registry,
    'outbox_confirmed_total',
    'Number of deliveries confirmed by the inbox of the consumer',
    ['consumer'],
  ),
  requeued: counter(
    registry,
    'outbox_requeued_total',
    'Number of unconfirmed deliveries that were enqueued again',
    ['consumer'],
  ),
  direct: counter(registry, 'outbox_direct_total', 'Number of urgent events confirmed by a direct delivery', [
    'consumer',
  ]),
  failures: counter(registry, 'outbox_failures_total', 'Number of failed rounds of the relay, by step', [
    'step',
  ]),
});

export const consumerMetrics = (registry: Registry) => ({
  processed: counter(registry, 'events_processed_total', 'Number of events whose effect was committed', [
    'consumer',
    'type',
  ]),
  duplicates: counter(
    registry,
    'events_duplicates_total',
    'Number of deliveries of an event that was already in the inbox',
    ['consumer', 'type'],
  ),
  failures: counter(
    registry,
    'events_failures_total',
    'Number of failed attempts that are retried; reason is unavailable (a dependency) or error (the event or the code)',
    ['consumer', 'type', 'reason'],
  ),
  afterCommitFailures: counter(
    registry,
    'events_after_commit_failures_total',
    'Number of failed follow-ups of a committed event; they are not retried',
    ['consumer', 'type'],
  ),
  refused: counter(
    registry,
    'events_refused_jobs_total',
    'Number of rejected jobs in the queue, which the directory did not add or does not confirm; they have no effect',
    ['consumer'],
  ),
  poisoned: gauge(
    registry,
    'events_poisoned',
    'Number of events that failed at least five times and that this process still retries',
    ['consumer'],
  ),
  duration: histogram(
    registry,
    'events_duration_seconds',
    'Seconds of the transaction that processed an event',
    ['consumer', 'type'],
  ),
  delay: histogram(registry, 'events_delay_seconds', 'Seconds from the change to its committed effect', [
    'consumer',
    'type',
  ]),
});
