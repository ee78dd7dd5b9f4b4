import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createLog, createRedis, type Redis, redisReady } from '../../src/index.ts';
import { eventually, SilentLink } from '../../src/testing.ts';

const log = createLog('test', 'silent');
const server = new URL(process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379');
const key = `silent-connection:${process.pid}:${Date.now()}`;

let link: SilentLink;
const opened: Redis[] = [];

beforeEach(async () => {
  link = await SilentLink.to(Number(server.port));
});
afterEach(async () => {
  for (const redis of opened.splice(0)) redis.disconnect();
  await link.close();
});

async function connected(blocking: boolean): Promise<Redis> {
  const redis = createRedis(`redis://127.0.0.1:${link.port}`, { name: 'test', log, blocking });
  opened.push(redis);
  await redisReady(redis);
  return redis;
}

test('A silent connection is replaced, also while a blocking command waits on it.', async () => {
  const [asking, waiting] = [await connected(false), await connected(true)];
  await asking.del(key);
  const heard = waiting.xread('BLOCK', 4_000, 'STREAMS', key, '$');
  await asking.ping();
  link.silence();
  await expect(asking.ping()).rejects.toThrow('timed out');
  await eventually(() => asking.ping().catch(() => undefined));
  // The blocking command waits on another connection, and returns nothing after its timeout.
  expect(await heard).toBeNull();
  const next = waiting.xread('BLOCK', 4_000, 'STREAMS', key, '0');
  await asking.xadd(key, '*', 'some', 'thing');
  expect(await next).toHaveLength(1);
  await asking.del(key);
});

test('A connection without commands, or with a blocking command longer than the answer timeout, is kept.', async () => {
  const [asking, waiting] = [await connected(false), await connected(true)];
  let closed = 0;
  for (const redis of [asking, waiting]) redis.on('close', () => (closed += 1));
  await asking.ping();
  expect(await waiting.xread('BLOCK', 5_000, 'STREAMS', key, '$')).toBeNull();
  expect(await asking.ping()).toBe('PONG');
  expect(closed).toBe(0);
});
