import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { challengeRoutes, recordRoutes } from '@ostiary/access/testing';
import { rowsByTable } from '@ostiary/database/testing';
import { createRedis, type Redis, redisReady } from '@ostiary/service';
import { redisContents } from '@ostiary/service/testing';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, redisUrl, startService } from '../support/service.ts';

const routes = recordRoutes();

let directory: RecordingDirectory;
let service: RunningService;
let redis: Redis;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
  redis = createRedis(redisUrl, { name: 'test', log: service.kit.log });
  await redisReady(redis);
});
afterAll(async () => {
  redis?.disconnect();
  await service?.close();
  await directory?.close();
});

/** Returns the stored data, except for the data that the process writes itself. */
async function contents(): Promise<[string[], Map<string, number>]> {
  const keys = [...(await redisContents(redis, service.prefix)).keys()];
  const own = /:(events-|live|revocations)/;
  return [
    keys.filter((name) => !own.test(name)).toSorted(),
    await rowsByTable(service.database.sql, 'provisioning'),
  ];
}

test('No route stores anything in Redis or PostgreSQL for a request without a valid token.', async () => {
  const challenge = () =>
    challengeRoutes(service.url, routes, {
      fill: { tenant: 'demo', id: '01990000-0000-7000-8000-000000000000' },
    });
  const asked = await challenge();
  expect(asked.length).toBeGreaterThan(30);
  // The log is written in batches.
  await service.app.logWriter.flush();
  const before = await contents();
  for (let round = 0; round < 3; round += 1) await challenge();
  await service.app.logWriter.flush();
  expect(await contents()).toEqual(before);
});
