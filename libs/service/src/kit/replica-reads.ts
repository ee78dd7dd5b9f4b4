import { Counter, Gauge, type Registry } from 'prom-client';

interface ReplicaRead {
  outcome: string;
  lagMs?: number;
}

/** Source of read events, as a database provides it; undefined without a replica. */
type Standby = { onRead(listener: (read: ReplicaRead) => void): void } | undefined;

/** Counts the reads that a replica may answer, by outcome. Without a replica there is no metric. */
export function measureReplica(metrics: Registry, standby: Standby, outcomes: readonly string[]): void {
  if (standby === undefined) return;
  const reads = new Counter({
    name: 'database_replica_reads_total',
    help: 'Number of reads that a replica can answer, by outcome; with every outcome except replica, the primary answered',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  for (const outcome of outcomes) reads.inc({ outcome }, 0);
  const lag = new Gauge({
    name: 'database_replica_lag_seconds',
    help: 'Maximum age in seconds of the data of the replica at its last check',
    registers: [metrics],
  });
  standby.onRead(({ outcome, lagMs }) => {
    reads.inc({ outcome });
    if (lagMs !== undefined) lag.set(lagMs / 1_000);
  });
}
