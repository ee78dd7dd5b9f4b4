import { createHistogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** How often the loop is timed, in ms: each time wakes the process, also one that has nothing to do. */
const timedEveryMs = 1_000;

/** Handed to prom-client, whose own timer never fires then: what it measures would contain the pauses. */
export const neverTimed = 2 ** 31 - 1;

const values = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'] as const;

/** Measures by how much the event loop was late since that was last asked, under the usual names. Doesn't keep the process alive. */
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
      help: `By how much the event loop was late since that was last asked (${value}); timed once a second`,
      registers: [metrics],
      collect() {
        this.set(read(value) / 1e9);
        // The last one that is collected.
        if (value === 'p99') late.reset();
      },
    });
  }
}
