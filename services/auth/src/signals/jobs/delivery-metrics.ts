import { Counter, Gauge, Histogram, type Registry } from '@ostiary/service';

export type DeliveryMetrics = ReturnType<typeof deliveryMetrics>;

/** What is measured of deliveries to receivers. */
export const deliveryMetrics = (registry: Registry) => ({
  open: new Gauge({
    name: 'outward_deliveries',
    help: 'Messages to receivers that are not delivered, by state; one that is dead waits for somebody to replay it',
    labelNames: ['kind', 'state'],
    registers: [registry],
  }),
  oldest: new Gauge({
    name: 'outward_oldest_pending_seconds',
    help: 'Age of the oldest message that is still to be delivered to who isn’t paused and doesn’t ask by themselves',
    labelNames: ['kind'],
    registers: [registry],
  }),
  attempts: new Counter({
    name: 'outward_attempts_total',
    help: 'Attempts to deliver, by outcome: delivered, failed (is repeated), refused or gone (is not)',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  }),
  duration: new Histogram({
    name: 'outward_delivery_seconds',
    help: 'From what happened to its delivery',
    labelNames: ['kind'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600, 21_600, 86_400],
    registers: [registry],
  }),
  released: new Counter({
    name: 'outward_held_released_total',
    help: 'Messages that went out without what was before them, because that didn’t come in time',
    registers: [registry],
  }),
  dead: new Counter({
    name: 'outward_dead_total',
    help: 'Messages that were given up',
    labelNames: ['kind'],
    registers: [registry],
  }),
});
