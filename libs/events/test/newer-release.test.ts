import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { eventTypes } from '../src/index.ts';
import { createDepot, type Depot, metric, userEvent } from './fixture.ts';

let depot: Depot;

beforeAll(async () => {
  depot = await createDepot();
});
afterAll(() => depot.close());

/** Event types of a release before deletions. */
const types = eventTypes.filter((type) => type !== 'user.deleted');

async function append(...kinds: Parameters<typeof userEvent>[0][]): Promise<string[]> {
  const events = kinds.map((type) => userEvent(type));
  return depot.database.transaction((tx) => depot.outbox.append(tx, events));
}

const effectsOf = async (ids: readonly string[]) =>
  (await depot.effects()).filter((row) => ids.includes(row.event_id));

test('An event that only a newer release knows waits for a process of it, has one effect there, and delays no other.', async () => {
  const older = depot.startConsumer({ types });
  await depot.startRelay({ direct: false });
  const [known = '', unknown = '', after = ''] = await append('user.created', 'user.deleted', 'user.updated');
  const [later = ''] = await append('user.updated');
  await eventually(
    () => effectsOf([known, after, later]),
    (rows) => rows.length === 3,
  );
  // Longer than the confirmation interval and the retry interval.
  await sleep(2_500);
  expect(await effectsOf([unknown])).toEqual([]);
  expect(await older.worker.missing([known, unknown])).toEqual([unknown]);
  expect((await depot.deliveries()).map((row) => row.event_id)).toEqual([unknown]);
  expect(await metric(older.metrics, 'events_poisoned')).toBe(0);

  const newer = depot.startConsumer();
  // As at the end of a rollout; while both releases run, either of them may get an attempt.
  await older.stop();
  const rows = await eventually(
    () => effectsOf([unknown]),
    (found) => found.length > 0,
  );
  await eventually(
    () => depot.deliveries(),
    (left) => left.length === 0,
  );
  expect(rows.map(({ n }) => Number(n))).toEqual([1]);
  expect(await newer.worker.missing([unknown])).toEqual([]);
  expect(await effectsOf([known, unknown, after, later])).toHaveLength(4);
  await newer.stop();
});

test('An event in an envelope of a newer release waits likewise, also when it is delivered directly.', async () => {
  const { worker, stop } = depot.startConsumer();
  const event = {
    ...userEvent('user.updated'),
    id: '0199b7a0-0000-7000-8000-000000000001',
    occurredAt: new Date().toISOString(),
    envelope: 2,
  };
  await expect(worker.accept([event as never])).rejects.toMatchObject({ statusCode: 503 });
  expect(await worker.missing([event.id])).toEqual([event.id]);
  await worker.accept([{ ...event, envelope: 1 } as never]);
  expect(await worker.missing([event.id])).toEqual([]);
  await stop();
});
