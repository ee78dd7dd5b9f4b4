import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKit, createRedis, type Redis, redisReady, uuidv7 } from '@ostiary/service';
import { eventually, testEventSignatures, testStreamSignatures } from '@ostiary/service/testing';
import {
  createOutbox,
  LiveRelay,
  liveConsumer,
  liveOutbox,
  outboxChannel,
  takeFromOutbox,
} from '../src/index.ts';
import {
  type LiveEvent,
  liveRetention,
  liveStream,
  markLiveStart,
  publishLive,
  readLiveEntry,
} from '../src/live.ts';
import { consumer, createDepot, type Depot, redisUrl, schema, silent, userEvent } from './fixture.ts';

let depot: Depot;
let redis: Redis;

beforeAll(async () => {
  depot = await createDepot();
  redis = createRedis(redisUrl, { name: 'test', log: createKit({ name: 'test', logLevel: 'silent' }).log });
  await redisReady(redis);
  await depot.database.sql.query(
    `CREATE TABLE depot.live_events (id uuid PRIMARY KEY, tenant text NOT NULL, type text NOT NULL,
       subject text NOT NULL, occurred_at timestamptz(3) NOT NULL DEFAULT now(), data jsonb)`,
  );
});
afterAll(async () => {
  redis.disconnect();
  await depot.close();
});

const by = (prefix: string) => ({ prefix, signatures: testStreamSignatures });
const entries = async (prefix = depot.prefix) =>
  (await redis.xrange(liveStream(prefix), '-', '+')).map(([, fields]) => readLiveEntry(fields, by(prefix)));
const notified = async (prefix?: string): Promise<LiveEvent[]> =>
  (await entries(prefix)).flatMap((entry) => (entry && 'event' in entry ? [entry.event] : []));

const event = (id = uuidv7()): LiveEvent => ({
  id,
  tenant: 'demo',
  type: 'user.updated',
  subject: 'alice',
  occurredAt: new Date().toISOString(),
});

const relayOf = (take: ConstructorParameters<typeof LiveRelay>[0]['take'], channel: string) =>
  new LiveRelay({
    database: depot.database,
    channel,
    take,
    redisUrl,
    prefix: depot.prefix,
    signatures: testStreamSignatures,
    log: silent,
    pollMs: 200,
  });

test('Events of an outbox reach the stream once with any number of relays, and they reach no queue.', async () => {
  const outbox = createOutbox(schema, [consumer, liveConsumer]);
  const relays = [1, 2, 3].map(() => relayOf(takeFromOutbox(schema), outboxChannel(schema)));
  await Promise.all(relays.map((relay) => relay.start()));
  const queues = await depot.startRelay();
  depot.startConsumer();
  const ids: string[] = [];
  for (let i = 0; i < 50; i += 1) {
    ids.push(...(await depot.database.transaction((tx) => outbox.append(tx, [userEvent('user.updated')]))));
  }
  const tenantEvent = (status: 'active' | 'suspended', version: number) => ({
    tenant: 'demo',
    type: 'tenant.updated' as const,
    subject: 'demo',
    version,
    actor: { kind: 'system' as const, id: 'x' },
    payload: { id: 'demo', name: 'Demo', status },
  });
  // Of the changes of a tenant itself, only its suspension is published.
  const [, suspended] = await depot.database.transaction((tx) =>
    outbox.append(tx, [tenantEvent('active', 2), tenantEvent('suspended', 3)]),
  );
  ids.push(suspended as string);
  // Delivered rows are deleted.
  await eventually(
    () => depot.deliveries(),
    (rows) => rows.length === 0,
  );
  const seen = await eventually(notified, (events) => events.length === ids.length);
  expect(seen.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  expect(seen.find(({ id }) => id === suspended)?.type).toBe('tenant.suspended');
  // Names and addresses are not published.
  expect(JSON.stringify(seen)).not.toContain('userName');
  await Promise.all(relays.map((relay) => relay.stop()));
  await queues.stop();
});

test('An event written in a transaction is published when it commits, and never when it is rolled back.', async () => {
  const outbox = liveOutbox(schema);
  const relay = relayOf(outbox.take, outbox.channel);
  await relay.start();
  const before = (await notified()).length;
  const ended = (subject: string) =>
    ({ tenant: 'demo', type: 'session.revoked', subject, data: { sessionId: 's1' } }) as const;
  await expect(
    depot.database.transaction(async (tx) => {
      await outbox.append(tx, [ended('nobody')]);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await depot.database.transaction((tx) => outbox.append(tx, [ended('alice')]));
  const seen = (await eventually(notified, (events) => events.length > before)).slice(before);
  expect(seen).toMatchObject([{ type: 'session.revoked', subject: 'alice', data: { sessionId: 's1' } }]);
  await eventually(
    async () => (await depot.database.sql.query('SELECT 1 FROM depot.live_events')).rowCount,
    (rows) => rows === 0,
  );
  await relay.stop();
});

test('An event that is sent again is in the stream once, also when both are sent concurrently.', async () => {
  const prefix = `${depot.prefix}-again`;
  const same = event();
  await Promise.all(Array.from({ length: 20 }, () => publishLive(redis, by(prefix), [same, event()])));
  const ids = (await notified(prefix)).map(({ id }) => id);
  expect(ids.filter((id) => id === same.id)).toHaveLength(1);
  expect(ids).toHaveLength(21);
});

test('Stream entries are numbered without a gap, and a recreated stream is marked as such.', async () => {
  const prefix = `${depot.prefix}-numbers`;
  await publishLive(redis, by(prefix), [event(), event()]);
  expect(await entries(prefix)).toMatchObject([{ n: 1, start: true }, { n: 2 }, { n: 3 }]);
  await markLiveStart(redis, prefix, 'run-1');
  await markLiveStart(redis, prefix, 'run-1');
  await publishLive(redis, by(prefix), [event()]);
  expect((await entries(prefix)).slice(3)).toMatchObject([{ n: 4, start: true }, { n: 5 }]);
  await redis.del(liveStream(prefix));
  await publishLive(redis, by(prefix), [event()]);
  expect(await entries(prefix)).toMatchObject([{ start: true }, { event: { subject: 'alice' } }]);
});

test('The length of the stream is bounded.', async () => {
  const prefix = `${depot.prefix}-bound`;
  const many = Array.from({ length: 500 }, () => event());
  for (let round = 0; round < 25; round += 1) {
    await publishLive(
      redis,
      by(prefix),
      many.map((each) => ({ ...each, id: uuidv7() })),
    );
  }
  expect(await redis.xlen(liveStream(prefix))).toBeLessThan(liveRetention.entries * 1.1);
});

test('A stream entry without a valid signature is ignored.', async () => {
  const prefix = `${depot.prefix}-forged`;
  await publishLive(redis, by(prefix), [event()]);
  const [, genuine] = await redis.xrange(liveStream(prefix), '-', '+');
  const [, , , text = '', , mac = ''] = genuine?.[1] ?? [];
  const other = JSON.stringify(event());
  const add = (...fields: string[]) => redis.xadd(liveStream(prefix), '*', 'n', '3', ...fields);
  await add('event', other);
  await add('event', other, 'mac', mac);
  await add('event', other, 'mac', testEventSignatures.sign('live', liveStream(prefix), other));
  await add('event', other, 'mac', testStreamSignatures.sign('live', liveStream(depot.prefix), other));
  await add('event', other, 'mac', testStreamSignatures.sign('revocations', liveStream(prefix), other));
  expect((await notified(prefix)).map(({ id }) => id)).toEqual([(JSON.parse(text) as LiveEvent).id]);
});

test.each<[string, (stream: string) => Promise<unknown>]>([
  ['of another type', (stream) => redis.set(stream, 'x')],
  [
    'at the end of its ids',
    (stream) => redis.xadd(stream, '18446744073709551615-18446744073709551615', 'x', 'y'),
  ],
  ['in the far future', (stream) => redis.xadd(stream, '99999999999999-0', 'x', 'y')],
  ['counted by a list', (stream) => redis.rpush(`${stream}:n`, 'x')],
  ['counted by what is no number', (stream) => redis.set(`${stream}:n`, 'x')],
  ['counted beyond all', (stream) => redis.set(`${stream}:n`, '9223372036854775807')],
  ['of a server that is a list', (stream) => redis.rpush(`${stream}:run`, 'x')],
])('A stream that is %s is recreated, is marked as such and accepts events.', async (_name, spoil) => {
  const prefix = `${depot.prefix}-spoilt-${uuidv7()}`;
  await spoil(liveStream(prefix));
  await markLiveStart(redis, prefix, 'run');
  const [one, other] = [event(), event()];
  await publishLive(redis, by(prefix), [one, other]);
  expect((await notified(prefix)).map(({ id }) => id)).toEqual([one.id, other.id]);
  const ours = (await entries(prefix)).filter((entry) => entry !== undefined);
  expect(ours[0]).toHaveProperty('start');
  for (const { n } of ours) expect(Number.isSafeInteger(n)).toBe(true);
  const [last] = await redis.xrevrange(liveStream(prefix), '+', '-', 'COUNT', 1);
  expect(Number(last?.[0].split('-')[0])).toBeLessThan(Date.now() + 3_600_000);
});
