import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createKit } from '../../src/index.ts';

test('The metrics of a process time its event loop seldom enough not to keep an idle process awake.', async () => {
  const { metrics } = createKit({ name: 'test', logLevel: 'silent', processMetrics: true });
  await sleep(1_000);
  const lag = (await metrics.getMetricsAsJSON()).find(
    ({ name }) => name === 'nodejs_eventloop_lag_mean_seconds',
  );
  // Each time that is measured contains the pause before it; on average, a full one.
  expect(lag?.values[0]?.value).toBeGreaterThan(0.05);
});
