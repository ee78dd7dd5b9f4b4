import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createKit, Gauge } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { FailingEvents } from '../src/failing-events.ts';
import type { DomainEvent } from '../src/index.ts';
import { consumer, consumerDefaults, createDepot, type Depot, each, metric } from './fixture.ts';

let depot: Depot;

beforeEach(async () => {
  depot = await createDepot();
});

afterEach(() => depot.close());

test('A failing event that succeeds outside of the queue, with others or alone, is no longer counted as failing.', async () => {
  let isFailing = true;
  const seen = new Map<string, DomainEvent>();
  const { worker, metrics } = depot.startConsumer({
    handle: each(async (event, tx) => {
      seen.set(event.id, event);
      if (isFailing) throw new Error('not yet');
      await consumerDefaults.handle([event], tx);
    }),
  });
  await depot.startRelay();
  await depot.publish(3);
  await eventually(
    () => metric(metrics, 'events_poisoned'),
    (n) => n === 3,
  );
  isFailing = false;
  const [first, ...others] = [...seen.values()];
  await worker.accept(first === undefined ? [] : [first]);
  expect(await metric(metrics, 'events_poisoned')).toBeLessThan(3);
  await worker.accept(others);
  expect(await metric(metrics, 'events_poisoned')).toBe(0);
});

const counting = (missing: (ids: readonly string[]) => Promise<readonly string[]>, forgetAfterMs = 1000) => {
  const { metrics, log } = createKit({ name: 'test', logLevel: 'silent' });
  const gauge = new Gauge({
    name: 'failing',
    help: 'x',
    labelNames: ['consumer'] as const,
    registers: [metrics],
  });
  const failing = new FailingEvents({ consumer, log, gauge, forgetAfterMs, missing });
  return { failing, count: () => metric(metrics, 'failing') };
};

test('A failing event that has succeeded in another process is no longer counted once it is in the inbox.', async () => {
  const { failing, count } = counting(async (ids) => ids.filter((id) => id !== 'elsewhere'));
  failing.failed('elsewhere');
  failing.failed('still');
  expect(await count()).toBe(2);
  await failing.look();
  expect(await count()).toBe(1);
  failing.worked('still');
  expect(await count()).toBe(0);
});

test('While PostgreSQL is unavailable, failing events stay counted, except those that were not retried here for long.', async () => {
  const away = counting(() => Promise.reject(new Error('away')));
  away.failing.failed('one');
  await away.failing.look();
  expect(await away.count()).toBe(1);
  const forgetful = counting(async (ids) => ids, -1);
  forgetful.failing.failed('one');
  await forgetful.failing.look();
  expect(await forgetful.count()).toBe(0);
});

test('Without failing events, no query is sent.', async () => {
  let asked = 0;
  const { failing } = counting(async (ids) => {
    asked += 1;
    return ids;
  });
  await failing.look();
  expect(asked).toBe(0);
});
