import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createKit } from '../../src/index.ts';

test('The metrics of a process contain the delay of its event loop, from one measurement per second.', async () => {
  const { metrics } = createKit({ name: 'test', logLevel: 'silent', processMetrics: true });
  const lag = async (value: string): Promise<number> => {
    const all = await metrics.getMetricsAsJSON();
    return (
      all.find(({ name }) => name === `nodejs_eventloop_lag_${value}_seconds`)?.values[0]?.value ?? Number.NaN
    );
  };
  await sleep(1_100);
  // The interval between two measurements is not a delay; the rest is due to a busy machine.
  expect(await lag('min')).toBeLessThan(0.5);
  await sleep(300);
  const until = performance.now() + 1_500;
  while (performance.now() < until);
  await sleep(50);
  expect(await lag('max')).toBeGreaterThan(0.5);
});
