import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKit, type HealthState, type ServiceKit } from '@ostiary/service';
import { eventually, testStreamKeys } from '@ostiary/service/testing';
import { RemoteAccess } from '../src/index.ts';
import { publicOrigin, TestIssuer } from './issuer.ts';

const issuer = new TestIssuer();
let kit: ServiceKit;
let access: RemoteAccess;

beforeAll(async () => {
  kit = createKit({ name: 'test', logLevel: 'silent' });
  // The issuer answers, but not with the feed.
  issuer.pagesLeft = 0;
  access = new RemoteAccess({
    kit,
    serviceName: 'gateway',
    env: {
      AUTH_URL: await issuer.start(['platform']),
      PUBLIC_ORIGIN: publicOrigin,
      REDIS_URL: process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379',
      REDIS_PREFIX: `test-${process.pid}-${Date.now()}`,
      SERVICE_CLIENT_SECRET: 'a secret of this process',
      REVOCATION_MAX_STALENESS_SECONDS: 30,
      DPOP_PROOFS_PER_MINUTE: 600,
      ...testStreamKeys,
    },
  });
  access.start();
});

afterAll(async () => {
  await access.stop();
  await issuer.stop();
});

const healthOnce = (holds: (state: HealthState) => boolean): Promise<HealthState> =>
  eventually(() => kit.health.state(), holds);

test('A process is not ready before it has read the revocation feed, and stays ready when the authorization server stops.', async () => {
  // The feed was requested more than once without an answer.
  await eventually(() => issuer.pagesLeft <= -2);
  const before = await kit.health.state();
  expect(before.dependencies.access).toMatchObject({ status: 'down', required: true, reason: 'not_loaded' });
  expect(before.status).toBe('unavailable');

  issuer.pagesLeft = Number.POSITIVE_INFINITY;
  const ready = await healthOnce(({ status }) => status !== 'unavailable');
  expect(ready.dependencies.access).toEqual({ status: 'up', required: true });

  issuer.down = true;
  const alone = await healthOnce(({ dependencies }) => dependencies.auth?.status === 'down');
  expect([alone.status, alone.dependencies.access?.status]).toEqual(['degraded', 'up']);
});
