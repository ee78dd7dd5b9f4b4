import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKit, createRedis, type Redis, redisReady, TurnPipeline } from '../../src/index.ts';

const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
const { log } = createKit({ name: 'test', logLevel: 'silent' });
const prefix = `test-${randomUUID()}`;

let redis: Redis;
let pipeline: TurnPipeline;

beforeAll(async () => {
  redis = createRedis(redisUrl, { name: 'pipeline-test', log });
  await redisReady(redis);
  pipeline = new TurnPipeline(redis);
});
afterAll(() => redis.disconnect());

/** Counts writes to the socket. */
async function writesDuring(work: () => Promise<unknown>): Promise<number> {
  const { stream } = redis as unknown as {
    stream: Record<'_write' | '_writev', (...call: unknown[]) => unknown>;
  };
  const { _write, _writev } = stream;
  let writes = 0;
  const counting = (original: typeof _write) =>
    function (this: unknown, ...call: unknown[]) {
      writes += 1;
      return original.apply(this, call);
    };
  Object.assign(stream, { _write: counting(_write), _writev: counting(_writev) });
  try {
    await work();
  } finally {
    Object.assign(stream, { _write, _writev });
  }
  return writes;
}

test('Commands of one turn of the event loop are sent in one write, and each gets its own answer.', async () => {
  const key = `${prefix}-counter`;
  let answers: number[] = [];
  const count = () => pipeline.send(() => redis.incr(key));
  const writes = await writesDuring(async () => {
    answers = await Promise.all(Array.from({ length: 20 }, count));
  });
  expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(writes).toBe(1);
  expect(await writesDuring(count)).toBe(1);
});

test('A command that fails, at the server or before it is sent, does not affect others.', async () => {
  await redis.set(`${prefix}-text`, 'text');
  const outcomes = await Promise.allSettled([
    pipeline.send(() => redis.incr(`${prefix}-a`)),
    pipeline.send(() => redis.incr(`${prefix}-text`)),
    pipeline.send(() => {
      throw new Error('not sent');
    }),
    pipeline.send(() => redis.incr(`${prefix}-b`)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(await pipeline.send(() => redis.incr(`${prefix}-b`))).toBe(2);
});

test('Without a connection each command fails immediately, and commands succeed again afterwards.', async () => {
  const other = createRedis(redisUrl, { name: 'pipeline-test-away', log });
  await redisReady(other);
  const away = new TurnPipeline(other);
  other.disconnect();
  const outcomes = await Promise.allSettled(
    ['a', 'b'].map((key) => away.send(() => other.get(prefix + key))),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await once(other, 'end');
  await other.connect();
  await redisReady(other);
  expect(await Promise.all(['a', 'b'].map((key) => away.send(() => other.exists(prefix + key))))).toEqual([
    0, 0,
  ]);
  other.disconnect();
});

test('Each command is sent in the context of its caller.', async () => {
  const context = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  await Promise.all(
    ['x', 'y'].map((name) =>
      context.run(name, () =>
        pipeline.send(() => {
          seen.push(context.getStore());
          return redis.exists(prefix);
        }),
      ),
    ),
  );
  expect(seen).toEqual(['x', 'y']);
});
