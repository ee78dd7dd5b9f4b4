import { Counter, type Registry } from 'prom-client';

/**
 * Source of failover events, as a database provides it, stating whether commits on the former primary waited
 * for a standby.
 */
type OnTakeover = (listener: (change: { synchronous: boolean }) => void) => unknown;

/** Counts database failovers, by whether acknowledged commits may be lost. */
export function measureTakeovers(metrics: Registry, onTakeover: OnTakeover): void {
  const takeovers = new Counter({
    name: 'database_takeovers_total',
    help: 'Number of failovers to another PostgreSQL server; asynchronous: commits did not wait for a standby, and the last ones may be missing',
    labelNames: ['replication'],
    registers: [metrics],
  });
  for (const replication of ['synchronous', 'asynchronous']) takeovers.inc({ replication }, 0);
  onTakeover(({ synchronous }) =>
    takeovers.inc({ replication: synchronous ? 'synchronous' : 'asynchronous' }),
  );
}
