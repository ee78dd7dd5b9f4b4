import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createRedis, type Redis, redisReady } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { eventQueue, queuePrefix } from '../src/index.ts';
import { consumer, createDepot, type Depot, redisUrl, silent } from './fixture.ts';

/** Foreign values in the keys of the queue: once they are removed, the queue works again automatically. */

interface Scene {
  depot: Depot;
  redis: Redis;
  /** Prefix of the queue's keys. */
  stem: string;
}

/** Tests mostly wait, so they run concurrently, each with its own queue. */
const withQueue = async (work: (scene: Scene) => Promise<unknown>): Promise<void> => {
  const depot = await createDepot();
  const redis = createRedis(redisUrl, { name: 'test', log: silent });
  try {
    await redisReady(redis);
    await work({ depot, redis, stem: `${queuePrefix(depot.prefix)}:${eventQueue(consumer)}:` });
  } finally {
    redis.disconnect();
    await depot.close();
  }
};

const arrives = async (depot: Depot, ids: readonly string[]) =>
  eventually(
    () => depot.effects(),
    (rows) => ids.every((id) => rows.some((row) => row.event_id === id)),
  );

const lists = [
  'wait',
  'active',
  'paused',
  'meta',
  'delayed',
  'events',
  'id',
  'marker',
  'stalled',
  'limiter',
  'pc',
];

test.concurrent.each<[string, (scene: Scene) => Promise<unknown>]>([
  ['of another type', ({ redis, stem }) => Promise.all(lists.map((name) => redis.set(stem + name, 'x')))],
  ['paused', ({ redis, stem }) => redis.hset(`${stem}meta`, 'paused', '1', 'concurrency', '0')],
  ['held up by a limit', ({ redis, stem }) => redis.hset(`${stem}meta`, 'max', '1', 'duration', '1')],
  ['never looked at for jobs that stand still', ({ redis, stem }) => redis.set(`${stem}stalled-check`, '1')],
  ['at the end of its numbers', ({ redis, stem }) => redis.set(`${stem}id`, '9223372036854775807')],
  [
    'at the end of its stream',
    ({ redis, stem }) => redis.xadd(`${stem}events`, '18446744073709551615-18446744073709551615', 'x', 'y'),
  ],
])('A queue that is %s delivers events again.', (_name, spoil) =>
  withQueue(async (scene) => {
    const { depot, redis, stem } = scene;
    await redis.del(...lists.map((name) => stem + name));
    await spoil(scene);
    await depot.startRelay();
    depot.startConsumer();
    await arrives(depot, await depot.publish(3));
  }),
);

test.concurrent('Unreadable jobs do not delay other jobs for long.', () =>
  withQueue(async ({ depot, redis, stem }) => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      ids.push(`unreadable-${n}`);
      const field = ['data', 'opts', 'progress', 'returnvalue'][n % 5];
      if (field === undefined) await redis.rpush(stem + ids[n], 'no job');
      else await redis.hset(stem + ids[n], { name: 'events', data: '{}', opts: '{}', [field]: '{no JSON' });
    }
    await redis.lpush(`${stem}wait`, ...ids, 'nothing-at-all', '0:0');
    await redis.zadd(`${stem}marker`, 0, '0');
    depot.startConsumer();
    await depot.startRelay();
    await arrives(depot, await depot.publish(5));
    await eventually(
      async () => [
        ...(await redis.lrange(`${stem}wait`, 0, -1)),
        ...(await redis.lrange(`${stem}active`, 0, -1)),
      ],
      (left) => left.length === 0,
    );
  }));

test.concurrent('A job that is delayed indefinitely is processed, and foreign schedules are removed.', () =>
  withQueue(async ({ depot, redis, stem }) => {
    depot.startConsumer();
    await depot.startRelay();
    await arrives(depot, await depot.publish(1));
    await redis.hset(`${stem}put-off`, { name: 'events', data: '{}', opts: '{}', timestamp: 1, delay: 1 });
    await redis.zadd(`${stem}delayed`, 9e15, 'put-off');
    await redis.zadd(`${stem}repeat`, 1, 'somebody');
    await redis.hset(`${stem}repeat:somebody`, { name: 'events', every: '1', ic: '1' });
    await eventually(
      () => redis.exists(`${stem}put-off`, `${stem}repeat`),
      (left) => left === 0,
    );
  }));

test.concurrent('A job that was removed from the lists but not deleted is not awaited indefinitely.', () =>
  withQueue(async ({ depot, redis, stem }) => {
    await depot.startRelay({ confirmAfterMs: 100, requeueAfterMs: 500 });
    const ids = await depot.publish(2);
    await eventually(
      () => redis.llen(`${stem}wait`),
      (length) => length > 0,
    );
    await redis.del(`${stem}wait`);
    depot.startConsumer();
    await arrives(depot, ids);
  }));

test.concurrent('The jobs of an event that waits in the queue for a long time are few, and it has one effect.', () =>
  withQueue(async ({ depot, redis, stem }) => {
    await depot.startRelay({ confirmAfterMs: 50, requeueAfterMs: 50, pollMs: 50 });
    const ids = await depot.publish(1);
    await sleep(2_000);
    // The interval doubles, so there are at most 1 + log2(2,000 / 50) jobs.
    const waiting = await redis.llen(`${stem}wait`);
    expect(waiting).toBeGreaterThan(1);
    expect(waiting).toBeLessThan(8);
    depot.startConsumer();
    await arrives(depot, ids);
  }));
