import type { DestinationStream } from 'pino';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { version } from '../version.ts';
import { measureEventLoop, neverTimed } from './event-loop.ts';
import { Health, measureHealth } from './health.ts';
import { createLog, type Logger } from './log.ts';

export { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** How processes of ours recognise each other's requests; `NeighbourProofs` implements it. */
export interface Neighbours {
  /** Proof for a request that is sent now. */
  value(): string;
  /** Whether a value is the proof of a process of ours. */
  accepts(value: unknown): boolean;
}

/** What every part of a process may use: its name, log, metrics, health and clock. */
export interface ServiceKit {
  name: string;
  log: Logger;
  metrics: Registry;
  health: Health;
  /** Milliseconds since the epoch; replaced in tests. */
  clock: () => number;
  /** Proves to other processes of ours that a request comes from this one, and verifies theirs. */
  neighbours: Neighbours | undefined;
}

export interface KitOptions {
  name: string;
  logLevel?: string;
  logStream?: DestinationStream;
  /** CPU, memory, event-loop and garbage-collection metrics; off in tests. */
  processMetrics?: boolean;
  clock?: () => number;
  neighbours?: Neighbours;
}

export function createKit(options: KitOptions): ServiceKit {
  const metrics = new Registry();
  metrics.setDefaultLabels({ service: options.name });
  new Gauge({
    name: 'build_info',
    help: '1, of the version that runs and of the Node that runs it',
    labelNames: ['version', 'node'],
    registers: [metrics],
  }).set({ version, node: process.versions.node }, 1);
  if (options.processMetrics) {
    collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: neverTimed });
    measureEventLoop(metrics);
  }
  const health = new Health();
  measureHealth(metrics, health);
  return {
    name: options.name,
    log: createLog(options.name, options.logLevel ?? 'info', options.logStream),
    metrics,
    health,
    clock: options.clock ?? Date.now,
    neighbours: options.neighbours,
  };
}
