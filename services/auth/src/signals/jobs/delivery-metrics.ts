import { Counter, Gauge, Histogram, type Registry } from '@ostiary/service';

export type DeliveryMetrics = ReturnType<typeof deliveryMetrics>;

export const deliveryMetrics = (registry: Registry) => ({
  open: new Gauge({
    name: 'outward_deliveries',
    help: 'Number of undelivered messages to receivers by state; a dead letter waits for an administrator to replay it',
    labelNames: ['kind', 'state'],
    registers: [registry],
  }),
  oldest: new Gauge({
    name: 'outward_oldest_pending_seconds',
    help: 'Age in seconds of the oldest undelivered message, excluding paused and polling receivers',
    labelNames: ['kind'],
    registers: [registry],
  }),
  attempts: new Counter({
    name: 'outward_attempts_total',
    help: 'Number of delivery attempts, by outcome: delivered, failed (retried), refused or gone (not retried)',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  }),
  duration: new Histogram({
    name: 'outward_delivery_seconds',
    help: 'Seconds from an event to its delivery',
    labelNames: ['kind'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600, 21_600, 86_400],
    registers: [registry],
  }),
  released: new Counter({
    name: 'outward_held_released_total',
    help: 'Number of messages delivered before an earlier message that arrived late',
    registers: [registry],
  }),
  dead: new Counter({
    name: 'outward_dead_total',
    help: 'Number of messages that became dead letters',
    labelNames: ['kind'],
    registers: [registry],
  }),
});
