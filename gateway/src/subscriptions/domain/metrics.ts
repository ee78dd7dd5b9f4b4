import { Counter, Gauge, Histogram, type ServiceKit } from '@ostiary/service';

export function hubMetrics(kit: ServiceKit, sizes: () => { connections: number; subscriptions: number }) {
  const registers = [kit.metrics];
  new Gauge({
    name: 'live_connections',
    help: 'Number of open subscription connections',
    registers,
    collect() {
      this.set(sizes().connections);
    },
  });
  new Gauge({
    name: 'live_subscriptions',
    help: 'Number of active subscriptions',
    registers,
    collect() {
      this.set(sizes().subscriptions);
    },
  });
  return {
    delivered: new Counter({
      name: 'live_events_delivered_total',
      help: 'Number of events delivered to subscribers',
      labelNames: ['transport'] as const,
      registers,
    }),
    ended: new Counter({
      name: 'live_ended_total',
      help: 'Number of connections and subscriptions ended by the server, by reason',
      labelNames: ['reason'] as const,
      registers,
    }),
    delay: new Histogram({
      name: 'live_delay_seconds',
      help: 'Seconds from an event to its delivery to a subscriber',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
      registers,
    }),
  };
}
