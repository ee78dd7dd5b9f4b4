import { createHistogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** Sampling interval of the event loop in ms. Each sample wakes the process, even an idle one. */
const timedEveryMs = 1_000;

/** Passed to prom-client so that its own timer never fires; its measurements would include the pauses. */
export const neverTimed = 2 ** 31 - 1;

const values = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'] as const;

/**
 * Measures event loop delay between two collections, under the usual names. Does not keep the process
 * running.
 */
export function measureEventLoop(metrics: Registry): void {
  const late = createHistogram();
  let due = performance.now() + timedEveryMs;
  setInterval(() => {
    const now = performance.now();
    late.record(Math.max(1, Math.round((now - due) * 1e6)));
    due = now + timedEveryMs;
  }, timedEveryMs).unref();
  const read = (value: (typeof values)[number]): number => {
    if (late.count === 0) return 0;
    return value.startsWith('p') ? late.percentile(Number(value.slice(1))) : late[value as 'min'];
  };
  for (const value of values) {
    const name = `nodejs_eventloop_lag_${value}_seconds`;
    metrics.removeSingleMetric(name);
    new Gauge({
      name,
      help: `Delay of the event loop in seconds since the last scrape (${value}), measured once a second`,
      registers: [metrics],
      collect() {
        this.set(read(value) / 1e9);
        // The last metric collected.
        if (value === 'p99') late.reset();
      },
    });
  }
}
