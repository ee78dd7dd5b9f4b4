import type { DestinationStream } from 'pino';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { version } from '../version.ts';
import { measureEventLoop, neverTimed } from './event-loop.ts';
import { Health, measureHealth } from './health.ts';
import { createLog, type Logger } from './log.ts';

export { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Proofs by which Ostiary processes recognise each other's requests; implemented by `NeighbourProofs`. */
export interface Neighbours {
  /** Returns the proof for a request that is sent now. */
  value(): string;
  /** Reports whether a value is the proof of an Ostiary process. */
  accepts(value: unknown): boolean;
}

/** Name, log, metrics, health and clock of a process, for all its parts. */
export interface ServiceKit {
  name: string;
  log: Logger;
  metrics: Registry;
  health: Health;
  /** Milliseconds since the epoch; replaced in tests. */
  clock: () => number;
  /** Proves to other Ostiary processes that a request comes from this one, and verifies their proofs. */
  neighbours: Neighbours | undefined;
}

export interface KitOptions {
  name: string;
  logLevel?: string;
  logStream?: DestinationStream;
  /** Whether to export CPU, memory, event loop and garbage collection metrics; disabled in tests. */
  processMetrics?: boolean;
  clock?: () => number;
  neighbours?: Neighbours;
}

export function createKit(options: KitOptions): ServiceKit {
  const metrics = new Registry();
  metrics.setDefaultLabels({ service: options.name });
  new Gauge({
    name: 'build_info',
    help: 'Constant 1, with the versions of Ostiary and of Node.js as labels',
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
