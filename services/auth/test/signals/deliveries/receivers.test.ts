import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import {
  deleteReceiver,
  disableReceiver,
  findNotified,
  findReceiver,
  insertReceiver,
  listReceivers,
  noteHealth,
  updateReceiver,
} from '../../../src/signals/data/receivers.ts';
import type { Receiver } from '../../../src/signals/domain/delivery.ts';
import { type Engines, startEngines } from './engine.ts';

let engines: Engines;
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(() => engines.stop());

const kind = 'webhook';
const sql = () => engines.database.sql;
const found = ({ tenant, id }: Receiver) => findReceiver(sql(), tenant, id, { kind });
const change = (receiver: Receiver, by: Partial<Receiver>) =>
  engines.database.transaction((tx) =>
    updateReceiver(tx, receiver.tenant, receiver.id, { ...receiver, ...by }),
  );
const resumedAt = async ({ id }: Receiver) => {
  const { rows } = await sql().query<{ at: Date | null }>(
    'SELECT resumed_at AS at FROM auth.receivers WHERE id = $1',
    [id],
  );
  return rows[0]?.at;
};

test('Concurrent creations do not exceed the maximum number of receivers of a tenant, regardless of other tenants.', async () => {
  await engines.receiver('other', []);
  const added = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      engines.database.transaction((tx) =>
        insertReceiver(
          tx,
          'many',
          {
            id: uuidv7(),
            kind,
            name: `receiver ${n}`,
            clientId: null,
            endpoint: null,
            status: 'enabled',
            factTypes: [],
            settings: {},
            secrets: null,
          },
          3,
        ),
      ),
    ),
  );
  expect(added.filter((receiver) => receiver !== undefined)).toHaveLength(3);
  const page = { limit: 10, direction: 'forward' } as const;
  expect(await listReceivers(sql(), 'many', kind, page)).toHaveLength(3);
});

test('Encrypted and JSON columns are read as written, with and without a lock.', async () => {
  const settings = { variants: { 'user.updated': ['a', 'b'] }, none: null };
  const receiver = await engines.receiver('demo', ['user.updated'], {
    settings,
    secrets: Buffer.from([0, 1, 255]),
  });
  expect(receiver).toMatchObject({ settings, secrets: Buffer.from([0, 1, 255]), version: 1 });
  const locked = await engines.database.transaction((tx) =>
    findReceiver(tx, 'demo', receiver.id, { kind, lock: true }),
  );
  expect(locked).toEqual(receiver);
  expect(await found(receiver)).toEqual(receiver);
});

describe('changes of a receiver', () => {
  test('A receiver that is enabled again loses its record of failure, but not one that stays enabled.', async () => {
    const receiver = await engines.receiver('demo', []);
    await noteHealth(sql(), 'demo', receiver.id, false);
    const renamed = await change(receiver, { name: 'renamed' });
    expect(renamed).toMatchObject({ name: 'renamed', version: 2, failingSince: expect.any(Date) });
    expect(await resumedAt(receiver)).toBeNull();
    expect(await change(renamed, { status: 'paused' })).toMatchObject({ failingSince: expect.any(Date) });
    const resumed = await change(renamed, { status: 'enabled' });
    expect(resumed).toMatchObject({ status: 'enabled', version: 4, failingSince: null });
    expect(await resumedAt(receiver)).toEqual(expect.any(Date));
  });

  test('A receiver whose endpoint is changed has no failure at its new address.', async () => {
    const receiver = await engines.receiver('demo', []);
    await noteHealth(sql(), 'demo', receiver.id, false);
    const moved = await change(receiver, { endpoint: 'https://elsewhere.example/' });
    expect(moved).toMatchObject({ endpoint: 'https://elsewhere.example/', failingSince: null });
    expect(await resumedAt(receiver)).toBeNull();
  });
});

test('A failure is recorded with the time of the first one, until a message arrives.', async () => {
  const receiver = await engines.receiver('demo', []);
  await noteHealth(sql(), 'demo', receiver.id, false);
  const first = (await found(receiver))?.failingSince;
  await noteHealth(sql(), 'demo', receiver.id, false);
  expect((await found(receiver))?.failingSince).toEqual(first);
  await noteHealth(sql(), 'demo', receiver.id, true);
  expect((await found(receiver))?.failingSince).toBeNull();
});

test('A receiver that returns 410 is disabled once, unless its endpoint changed in the meantime.', async () => {
  const receiver = await engines.receiver('demo', []);
  const elsewhere = { ...receiver, endpoint: 'https://former.example/' };
  expect(await disableReceiver(sql(), elsewhere, 'gone')).toBe(false);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => disableReceiver(sql(), receiver, 'It is gone.')),
  );
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await found(receiver)).toMatchObject({
    status: 'disabled',
    statusReason: 'It is gone.',
    version: 2,
  });
  const asking = await engines.receiver('demo', [], { endpoint: null });
  expect(await disableReceiver(sql(), asking, 'gone')).toBe(true);
});

test('Another tenant finds, changes, disables and deletes nothing by an id.', async () => {
  const receiver = await engines.receiver('demo', []);
  const theirs = { ...receiver, tenant: 'rival' };
  expect(await found(theirs)).toBeUndefined();
  expect(await findNotified(sql(), 'rival', receiver.id)).toBeUndefined();
  await noteHealth(sql(), 'rival', receiver.id, false);
  expect(await disableReceiver(sql(), theirs, 'gone')).toBe(false);
  await expect(change(theirs, { name: 'theirs' })).rejects.toThrow();
  expect(await deleteReceiver(sql(), 'rival', receiver.id, kind)).toBe(false);
  expect(await found(receiver)).toEqual(receiver);
  expect(await findNotified(sql(), 'demo', receiver.id.toUpperCase())).toEqual({ kind, id: receiver.id });
  expect(await deleteReceiver(sql(), 'demo', receiver.id, 'ssf')).toBe(false);
  expect(await deleteReceiver(sql(), 'demo', receiver.id, kind)).toBe(true);
});
