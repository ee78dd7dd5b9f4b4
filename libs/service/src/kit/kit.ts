import type { DestinationStream } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { measureEventLoop, neverTimed } from './event-loop.ts';
import { Health } from './health.ts';
import { createLog, type Logger } from './log.ts';

export { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What every part of a process may use: its name, log, metrics, health and clock. */
export interface ServiceKit {
  name: string;
  log: Logger;
  metrics: Registry;
  health: Health;
  /** Milliseconds since the epoch; replaced in tests. */
  clock: () => number;
}

export interface KitOptions {
  name: string;
  logLevel?: string;
  logStream?: DestinationStream;
  /** CPU, memory, event-loop and garbage-collection metrics; off in tests. */
  processMetrics?: boolean;
  clock?: () => number;
}

export function createKit(options: KitOptions): ServiceKit {
  const metrics = new Registry();
  metrics.setDefaultLabels({ service: options.name });
  if (options.processMetrics) {
    collectDefaultMetrics({ register: metrics, eventLoopMonitoringPrecision: neverTimed });
    measureEventLoop(metrics);
  }
  return {
    name: options.name,
    log: createLog(options.name, options.logLevel ?? 'info', options.logStream),
    metrics,
    health: new Health(),
    clock: options.clock ?? Date.now,
  };
}
