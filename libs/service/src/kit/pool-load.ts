import { Gauge, type Registry } from 'prom-client';

/** Current use of a connection pool. */
export interface PoolLoad {
  /** Maximum number of connections. */
  size: number;
  busy: number;
  /** Statements and transactions that wait for a connection. */
  waiting: number;
}

/** Exports the use of the database pool, read at each collection. */
export function measurePool(metrics: Registry, load: () => PoolLoad): void {
  const gauge = (name: string, help: string, value: (now: PoolLoad) => number) =>
    new Gauge({
      name,
      help,
      registers: [metrics],
      collect() {
        this.set(value(load()));
      },
    });
  gauge('database_pool_size', 'Maximum number of connections of the pool', ({ size }) => size);
  gauge('database_pool_busy', 'Number of connections of the pool that are in use', ({ busy }) => busy);
  gauge(
    'database_pool_waiting',
    'Number of requests waiting for a connection of the pool',
    ({ waiting }) => waiting,
  );
}
