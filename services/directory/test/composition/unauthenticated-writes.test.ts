import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { challengeRoutes, recordRoutes } from '@ostiary/access/testing';
import { rowsByTable } from '@ostiary/database/testing';
import { createRedis, type Redis, redisReady } from '@ostiary/service';
import { redisContents } from '@ostiary/service/testing';
import { type Harness, startDirectory } from '../support/harness.ts';

const routes = recordRoutes();

let harness: Harness;
let redis: Redis;

beforeAll(async () => {
  harness = await startDirectory();
  redis = createRedis(harness.redisUrl, { name: 'test', log: harness.kit.log });
  await redisReady(redis);
});
afterAll(async () => {
  redis?.disconnect();
  await harness?.stop();
});

/** Returns the stored data, except for the data that the process writes itself. */
async function contents(): Promise<[string[], Map<string, number>]> {
  const keys = [...(await redisContents(redis, harness.prefix)).keys()];
  const own = /:(events-|live|revocations)/;
  return [
    keys.filter((name) => !own.test(name)).toSorted(),
    await rowsByTable(harness.database.sql, 'directory'),
  ];
}

test('A request without a valid token leaves nothing in Redis or PostgreSQL, at any route.', async () => {
  const fill = { tenant: await harness.tenant(), id: '01990000-0000-7000-8000-000000000000' };
  const asked = await challengeRoutes(harness.url, routes, { fill });
  expect(asked.length).toBeGreaterThan(20);
  const before = await contents();
  for (let round = 0; round < 3; round += 1) await challengeRoutes(harness.url, routes, { fill });
  expect(await contents()).toEqual(before);
});
