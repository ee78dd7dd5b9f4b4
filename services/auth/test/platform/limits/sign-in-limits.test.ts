import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@ostiary/database';
import { createTestDatabase, type TestDatabase } from '@ostiary/database/testing';
import { createKit, createRedis, keyRing, type Redis, redisReady, SealedValues } from '@ostiary/service';
import { passwordStore } from '../../../src/identity/sign-in/data/credentials.ts';
import { RedisKnownNetworks } from '../../../src/identity/sign-in/data/known-networks.ts';
import { Login } from '../../../src/identity/sign-in/domain/login.ts';
import { PasswordHasher } from '../../../src/identity/sign-in/domain/password.ts';
import { defaultCost, passwordCost } from '../../../src/identity/sign-in/domain/password-cost.ts';
import { SignInLimits } from '../../../src/identity/sign-in/domain/sign-in-limits.ts';
import { PrismaClient } from '../../../src/platform/database/generated/client.ts';
import { RedisAttempts } from '../../../src/platform/limits/data/attempts.ts';
import { PostgresGuesses } from '../../../src/platform/limits/data/guesses.ts';
import type { AttemptLimit } from '../../../src/platform/limits/domain/attempts.ts';
import { migrations } from '../../support/running-auth.ts';

const kit = createKit({ name: 'test', logLevel: 'silent' });
const prefix = `test-${randomBytes(6).toString('hex')}`;
/** Two connections, which count as two processes for Redis. */
let redis: Redis;
let otherRedis: Redis;
let testDatabase: TestDatabase;
let database: Database<PrismaClient>;
const values = new SealedValues({ ring: keyRing(randomBytes(32)), ...kit });
const names = keyRing(randomBytes(32));

beforeAll(async () => {
  testDatabase = await createTestDatabase({ schema: 'auth', directory: migrations });
  database = createDatabase({
    url: testDatabase.url,
    schema: 'auth',
    log: kit.log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
  redis = createRedis(process.env.TEST_REDIS_URL ?? '', { name: 'limits', log: kit.log });
  otherRedis = createRedis(process.env.TEST_REDIS_URL ?? '', { name: 'limits-2', log: kit.log });
  await Promise.all([redisReady(redis), redisReady(otherRedis)]);
});

afterAll(async () => {
  const keys = await redis.keys(`${prefix}*`);
  if (keys.length > 0) await redis.del(keys);
  redis.disconnect();
  otherRedis.disconnect();
  await database.close();
  await testDatabase.drop();
});

const limitsOn = (connection: Redis, tenantFailures = 1_000) =>
  new SignInLimits({
    known: new RedisKnownNetworks({ redis: connection, prefix, values, names }),
    attempts: new RedisAttempts(connection, prefix),
    guesses: new PostgresGuesses(database.sql),
    tenantFailures,
  });
const fresh = (what: string) => `${what}-${randomBytes(6).toString('hex')}`;
const address = () => [10, ...randomBytes(3)].join('.');
const admitted = (answers: { admitted: boolean }[]) => answers.filter((answer) => answer.admitted).length;

describe('parallel guesses from two processes are counted like serial ones', () => {
  test('Parallel guesses are counted per account, from any address.', async () => {
    const processes = [limitsOn(redis), limitsOn(otherRedis)];
    const [tenant, userName] = [fresh('demo'), fresh('alice')];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        processes[index % 2]?.begin({ tenant, userName, address: address() }),
      ),
    );
    expect(admitted(answers as { admitted: boolean }[])).toBe(10);
    const other = await limitsOn(redis).begin({ tenant: fresh('rival'), userName, address: address() });
    expect(other.admitted).toBe(true);
  });

  test('Parallel guesses are counted per account, in any spelling of the name and whether or not it exists.', async () => {
    const limits = limitsOn(redis);
    const tenant = fresh('demo');
    const names = ['Zoé', 'ｚoé', ' ZOÉ ', 'zoe\u0301'];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        limits.begin({ tenant, userName: names[index % 4] ?? '', address: address() }),
      ),
    );
    expect(admitted(answers)).toBe(10);
  });

  test('A guess whose statement started before the one that it waited for counts once.', async () => {
    const guesses = new PostgresGuesses(database.sql);
    const tenant = fresh('demo');
    const limit: AttemptLimit = { free: 10, firstMs: 5_000, maxMs: 60_000, forgetMs: 900_000 };
    await guesses.begin(tenant, 'account', limit);
    // Simulates a statement that started before the row was written.
    const prisma = await database.sql.prisma();
    await prisma.guess.updateMany({ where: { tenant }, data: { at: new Date(Date.now() + 60_000) } });
    const waits = [];
    for (let guess = 0; guess < 10; guess += 1) waits.push(await guesses.begin(tenant, 'account', limit));
    expect(waits.map((wait) => wait === 0)).toEqual([...Array(9).fill(true), false]);
  });

  test('Parallel guesses are counted per IPv6 /64, whose 2^64 addresses are one source.', async () => {
    const processes = [limitsOn(redis, 3_000), limitsOn(otherRedis, 3_000)];
    const network = `2001:db8:${randomBytes(2).toString('hex')}:7`;
    const host = () => (randomBytes(8).toString('hex').match(/..../g) ?? []).join(':');
    const guess = (index: number) =>
      processes[index % 2]?.begin({
        tenant: 'demo',
        userName: fresh('user'),
        address: `${network}:${host()}`,
      });
    const answers = await Promise.all(Array.from({ length: 400 }, (_, index) => guess(index)));
    expect(admitted(answers as { admitted: boolean }[])).toBe(300);
    const neighbour = { tenant: 'demo', userName: fresh('user'), address: `2001:db8:ffff:8::1` };
    expect((await limitsOn(redis).begin(neighbour)).admitted).toBe(true);
  });

  test('Guesses with different accounts and addresses are counted per tenant, and known networks are exempt.', async () => {
    const tenant = fresh('demo');
    const processes = [limitsOn(redis, 40), limitsOn(otherRedis, 40)];
    const office = address();
    const morning = await processes[0]?.begin({ tenant, userName: 'worker', address: office });
    if (morning?.admitted) await morning.succeeded();
    const began = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        processes[index % 2]?.begin({ tenant, userName: fresh('user'), address: address() }),
      ),
    );
    // A further attempt is permitted after 50 ms, the next after another 100 ms, and so on.
    const later = Math.log2((performance.now() - began) / 50 + 1);
    const count = admitted(answers as { admitted: boolean }[]);
    expect([count >= 40, count <= 40 + later]).toEqual([true, true]);
    const refused = answers.find((answer) => answer?.admitted === false);
    expect(refused).toMatchObject({ waitMs: expect.any(Number) });

    expect((await limitsOn(redis, 40).begin({ tenant, userName: 'worker', address: office })).admitted).toBe(
      true,
    );
    const elsewhere = { tenant: fresh('rival'), userName: 'worker', address: address() };
    expect((await limitsOn(redis, 40).begin(elsewhere)).admitted).toBe(true);
  });
});

describe('continuous guesses', () => {
  test('Endless guesses do not lock a user out of a known network, but guesses from that network are counted too.', async () => {
    const [tenant, userName, home] = [fresh('demo'), fresh('alice'), address()];
    const processes = [limitsOn(redis), limitsOn(otherRedis)];
    const first = await processes[0]?.begin({ tenant, userName, address: home });
    if (first?.admitted) await first.succeeded();
    const guess = (from: string) => (_: unknown, index: number) =>
      processes[index % 2]?.begin({ tenant, userName, address: from });
    const elsewhere = await Promise.all(Array.from({ length: 40 }, (_, n) => guess(address())(_, n)));
    expect(admitted(elsewhere as { admitted: boolean }[])).toBe(10);
    const own = await processes[1]?.begin({ tenant, userName: userName.toUpperCase(), address: home });
    expect(own?.admitted).toBe(true);
    if (own?.admitted) await own.succeeded();
    // It does not reset the counter of other networks.
    expect((await processes[0]?.begin({ tenant, userName, address: address() }))?.admitted).toBe(false);
    const atHome = await Promise.all(Array.from({ length: 40 }, guess(home)));
    expect(admitted(atHome as { admitted: boolean }[])).toBe(10);
    // A network that is known for one account is unknown for another.
    const namesake = { tenant: fresh('rival'), userName, address: home };
    expect((await limitsOn(redis).begin(namesake)).admitted).toBe(true);
  });
});

describe('an attempt', () => {
  test('An attempt that succeeds resets the account and counts against no limit.', async () => {
    const limits = limitsOn(redis, 3);
    const [tenant, userName, from] = [fresh('demo'), fresh('bob'), address()];
    for (let round = 0; round < 30; round += 1) {
      const attempt = await limits.begin({ tenant, userName, address: from });
      if (!attempt.admitted) throw new Error('delayed');
      await attempt.succeeded();
    }
  });

  test('An attempt that could not be checked counts against no limit.', async () => {
    const limits = limitsOn(redis, 1_000);
    const attempt = { tenant: fresh('demo'), userName: fresh('carol'), address: address(), password: 'x' };
    const login = new Login({
      credentials: passwordStore,
      sql: { query: () => Promise.reject(new Error('down')) },
      subjects: {
        findLocalByUserName: () => Promise.reject(new Error('down')),
        askByUserName: () => Promise.reject(new Error('down')),
      },
      limits,
      passwords: new PasswordHasher({ concurrency: 1, cost: passwordCost(defaultCost) }),
    });
    for (let round = 0; round < 25; round += 1) await expect(login.signIn(attempt)).rejects.toThrow('down');
  });

  test('An attempt from a delayed address does not count against the account it names.', async () => {
    const limits = limitsOn(redis);
    const [tenant, victim, attacker] = [fresh('demo'), fresh('dave'), address()];
    const began = performance.now();
    await Promise.all(
      Array.from({ length: 300 }, () => limits.begin({ tenant, userName: fresh('x'), address: attacker })),
    );
    let tried = 0;
    for (let round = 0; round < 20; round += 1) {
      if ((await limits.begin({ tenant, userName: victim, address: attacker })).admitted) tried += 1;
    }
    // A further attempt is permitted after a second, the next after two more.
    expect(tried).toBeLessThanOrEqual(Math.log2((performance.now() - began) / 1_000 + 1));
    expect((await limits.begin({ tenant, userName: victim, address: address() })).admitted).toBe(true);
  });
});

describe('the delay', () => {
  const limit: AttemptLimit = { free: 3, firstMs: 60, maxMs: 200, forgetMs: 60_000 };

  test('The delay grows with every further failure up to its maximum.', async () => {
    const attempts = new RedisAttempts(redis, prefix);
    const key = fresh('growing');
    const name = `${prefix}:auth:attempts:${key}`;
    const now = async () => {
      const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
      return seconds * 1_000 + Math.floor(micros / 1_000);
    };
    for (const wait of [undefined, undefined, 60, 120, 200, 200, 200]) {
      const before = await now();
      expect(await attempts.begin(key, limit)).toBe(0);
      const after = await now();
      const next = await redis.hget(name, 'next');
      if (wait === undefined) {
        expect(next).toBeNull();
        continue;
      }
      expect(Number(next)).toBeGreaterThanOrEqual(before + wait);
      expect(Number(next)).toBeLessThanOrEqual(after + wait);
      // Simulates a just started delay: the next attempt gets its remainder and is not counted.
      await redis.hset(name, 'next', String((await now()) + 60_000));
      expect(await attempts.begin(key, { ...limit, maxMs: 60_000 })).toBeGreaterThan(50_000);
      await redis.hset(name, 'next', '0');
    }
  });

  test('Failures that occur slowly expire equally fast and never accumulate.', async () => {
    const attempts = new RedisAttempts(redis, prefix);
    const key = fresh('slow');
    const slow: AttemptLimit = { free: 3, firstMs: 60_000, maxMs: 60_000, forgetMs: 300 };
    for (let guess = 0; guess < 12; guess += 1) {
      expect(await attempts.begin(key, slow)).toBe(0);
      await sleep(115);
    }
  });

  test('The delay leaves nothing in Redis after its end.', async () => {
    const attempts = new RedisAttempts(redis, prefix);
    const key = fresh('gone');
    const brief = { ...limit, maxMs: 1_500, forgetMs: 50 };
    for (let guess = 0; guess < 5; guess += 1) await attempts.begin(key, brief);
    const left = await redis.pttl(`${prefix}:auth:attempts:${key}`);
    expect([left > 0, left <= 1_500]).toEqual([true, true]);
  });
});
