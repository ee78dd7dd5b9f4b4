import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { challengeRoutes, Issuer, recordRoutes } from '@ostiary/access/testing';
import { createKit, createRedis, type Redis, redisReady } from '@ostiary/service';
import { redisContents } from '@ostiary/service/testing';
import { type RunningGateway, Services } from '../support/system.ts';

const routes = recordRoutes();
const prefix = `test-${randomUUID()}`;
/** Points per minute of a network, enough for a few requests. */
const anonymous = 120;

let services: Services;
let gateway: RunningGateway;
let redis: Redis;

beforeAll(async () => {
  redis = createRedis(process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379', {
    name: 'test',
    log: createKit({ name: 'test', logLevel: 'silent' }).log,
  });
  await redisReady(redis);
  services = await Services.start(new Issuer());
  gateway = await services.gateway({
    trustedProxies: ['loopback'],
    guards: { redis, prefix, pointsPerMinute: anonymous * 50, persistedQueries: true },
  });
});
afterAll(async () => {
  await services?.stop();
  redis?.disconnect();
});

const ask = (address: string) =>
  fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    // Each query is different, and requests registration.
    body: JSON.stringify({
      query: `{ me { id } } # ${randomUUID()}`,
      extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } },
    }),
  });

test('Requests of a network without a token leave one counter in Redis, for one minute, on every route.', async () => {
  expect(routes.length).toBeGreaterThan(10);
  for (let round = 0; round < 2; round += 1) {
    await challengeRoutes(gateway.url, routes, { fill: { tenant: 'demo' } });
  }
  const contents = await redisContents(redis, prefix);
  expect([...contents.keys()]).toEqual([expect.stringContaining(':graph-rate:network ')]);
  for (const { bytes, ms } of contents.values()) {
    expect(bytes).toBeLessThan(400);
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(60_000);
  }
});

test('A network beyond its budget is rejected, and other networks are not.', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask('198.51.100.1')));
  const statuses = answers.map(({ status }) => status);
  await Promise.all(answers.map((answer) => answer.text()));
  expect(statuses).toContain(429);
  expect(statuses.filter((status) => status !== 429).length).toBeLessThan(10);
  expect((await ask('198.51.100.2')).status).not.toBe(429);
  expect((await redisContents(redis, prefix)).size).toBeLessThanOrEqual(3);
});
