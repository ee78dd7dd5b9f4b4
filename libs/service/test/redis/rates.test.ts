import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { createKit, createRedis, type Redis, redisReady } from '../../src/index.ts';
import { type Allowance, Rates, type RatesOptions } from '../../src/redis/rates.ts';
import { eventually } from '../../src/testing.ts';

const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
const { log } = createKit({ name: 'test', logLevel: 'silent' });

let redis: Redis;
let prefix: string;

beforeAll(async () => {
  redis = createRedis(redisUrl, { name: 'rates-test', log });
  await redisReady(redis);
});
afterAll(() => redis.disconnect());
beforeEach(() => {
  prefix = `test-${randomUUID()}`;
});

/** Returns the counters of one process. */
const counting = (options: Partial<RatesOptions> = {}) =>
  new Rates({ name: 'test-rate', redis, prefix, log, leases: 1000, timeoutMs: 15_000, ...options });
const allowed = (allowances: Allowance[]) => allowances.filter((allowance) => allowance.allowed).length;
const times = (count: number, take: (index: number) => Promise<Allowance>) =>
  Promise.all(Array.from({ length: count }, (_, index) => take(index)));

test('An allowance decreases, and requests beyond it are rejected until the window ends.', async () => {
  const rates = counting();
  const seen = [];
  for (let i = 0; i < 4; i += 1) seen.push(await rates.take('alice', 3, 1));
  expect(seen.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ]);
  for (const { limit, resetSeconds } of seen) {
    expect(limit).toBe(3);
    expect(resetSeconds).toBeGreaterThanOrEqual(1);
    expect(resetSeconds).toBeLessThanOrEqual(60);
  }
  expect((await rates.take('bob', 3, 1)).allowed).toBe(true);
});

test.each([
  ['one by one', 1000],
  ['in leases', 4],
])('Two processes count together, %s: of 60 concurrent requests, 20 are accepted.', async (_how, leases) => {
  const both = [counting({ leases }), counting({ leases })] as const;
  const allowances = await times(60, (index) => both[index % 2 === 0 ? 0 : 1].take('alice', 20, 1));
  expect(allowed(allowances)).toBe(20);
});

test('Concurrent requests that cost several points are accepted only up to the allowance.', async () => {
  const both = [counting({ leases: 9 }), counting({ leases: 9 })] as const;
  const allowances = await times(60, (index) => both[index % 2 === 0 ? 0 : 1].take('alice', 63, 3));
  expect(allowed(allowances)).toBeGreaterThan(0);
  expect(allowed(allowances)).toBeLessThanOrEqual(21);
});

test('A request that costs more than the whole allowance costs the whole of it.', async () => {
  const rates = counting();
  expect(await rates.take('alice', 10, 100)).toMatchObject({ allowed: true, remaining: 0 });
  expect((await rates.take('alice', 10, 1)).allowed).toBe(false);
});

test('A cost of zero counts as one point, and a fraction of a point counts as a whole one.', async () => {
  const rates = counting();
  expect((await rates.take('alice', 10, 0)).remaining).toBe(9);
  expect((await rates.take('alice', 10, 1.2)).remaining).toBe(7);
});

test('A rejected request leaves the allowance to smaller ones.', async () => {
  const rates = counting();
  await rates.take('alice', 10, 1);
  for (let i = 0; i < 3; i += 1) expect((await rates.take('alice', 10, 10)).allowed).toBe(false);
  expect(await rates.take('alice', 10, 9)).toMatchObject({ allowed: true, remaining: 0 });
});

test('A lease rarely queries Redis and grants the allowance to its last point.', async () => {
  const rates = counting({ leases: 10 });
  const looks = jest.spyOn(redis, 'multi');
  const seen = [];
  for (let i = 0; i < 120; i += 1) seen.push(await rates.take('alice', 105, 1));
  // Ten per lease, the last with the remainder; and one for each rejection.
  expect(looks).toHaveBeenCalledTimes(11 + 15);
  looks.mockRestore();
  expect(allowed(seen)).toBe(105);
  expect(seen.slice(0, 105).map(({ remaining }) => remaining)).toEqual(
    Array.from({ length: 105 }, (_, index) => 104 - index),
  );
});

test('Different limits of one caller share one count.', async () => {
  const rates = counting();
  await rates.take('alice', 10, 6);
  expect(await rates.take('alice', 20, 6)).toMatchObject({ allowed: true, remaining: 8 });
  expect((await rates.take('alice', 10, 1)).allowed).toBe(false);
});

test('Without Redis, each process counts separately and within the allowance.', async () => {
  const alone = counting({ redis: undefined, leases: 4 });
  expect(allowed(await times(60, () => alone.take('alice', 20, 1)))).toBe(20);
});

test('A process counts separately while Redis is down or silent, and then with the others again.', async () => {
  const through = new Set<Socket>();
  let isOpen = true;
  const gate = await gateTo(redisUrl, through, () => isOpen);
  const { port } = gate.address() as { port: number };
  const passing = createRedis(`redis://127.0.0.1:${port}`, { name: 'rates-gate', log });
  await redisReady(passing);
  try {
    const lonely = counting({ redis: passing, timeoutMs: 500 });
    expect((await lonely.take('before', 1, 1)).allowed).toBe(true);
    expect((await counting().take('before', 1, 1)).allowed).toBe(false);

    for (const socket of through) socket.pause();
    expect(allowed(await times(9, () => lonely.take('silent', 3, 1)))).toBe(3);

    // No request waits for all earlier ones.
    const large = counting({ redis: passing, timeoutMs: 50, leases: 10 });
    expect(allowed(await times(500, () => large.take('silent', 100, 1)))).toBe(100);

    // Redis must not return in the meantime, because the shared count would begin in the middle.
    isOpen = false;
    for (const socket of through) socket.destroy();
    expect(allowed(await times(9, () => lonely.take('away', 3, 1)))).toBe(3);
    isOpen = true;

    // The connection is restored automatically; then the shared count is known.
    let i = 0;
    await eventually(async () => {
      i += 1;
      await counting().take(`after-${i}`, 1, 1);
      return !(await lonely.take(`after-${i}`, 1, 1)).allowed;
    });
  } finally {
    passing.disconnect();
    for (const socket of through) socket.destroy();
    gate.close();
  }
});

async function gateTo(url: string, through: Set<Socket>, isOpen: () => boolean): Promise<Server> {
  const { hostname, port } = new URL(url);
  const gate = createServer((socket) => {
    if (!isOpen()) return void socket.destroy();
    const target = connect(Number(port || 6379), hostname);
    for (const [from, to] of [
      [socket, target],
      [target, socket],
    ] as const) {
      through.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(gate, 'listening');
  return gate;
}

test.each<[string, (key: string) => Promise<unknown>]>([
  ['a list', (key) => redis.rpush(key, 'x')],
  ['text', (key) => redis.set(key, 'x', 'EX', 30)],
  ['more than there are numbers', (key) => redis.set(key, '9223372036854775807')],
  ['used up for good', (key) => redis.set(key, '1000000')],
  ['used up for a year', (key) => redis.set(key, '1000000', 'EX', 31_536_000)],
])('A count that is %s is reset, both for single requests and in leases.', async (_name, spoil) => {
  for (const leases of [1000, 4]) {
    for (const key of await redis.keys(`*${prefix}*`)) await redis.del(key);
    await counting({ leases }).take('alice', 20, 1);
    const [key = ''] = await redis.keys(`*${prefix}*`);
    await redis.del(key);
    await spoil(key);
    // Another process, which has no lease yet.
    const rates = counting({ leases });
    const allowances = await times(30, () => rates.take('alice', 20, 1));
    expect(allowed(allowances)).toBe(20);
    expect(allowances.at(-1)?.resetSeconds).toBeLessThanOrEqual(60);
    expect(await redis.ttl(key)).toBeGreaterThan(0);
  }
});
