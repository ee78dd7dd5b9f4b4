import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { StubIssuer } from '../../../../libs/verifier/test/support/stub-issuer.ts';
import { TestGuard } from '../support/guard.ts';

let issuer: StubIssuer;
let guard: TestGuard;

beforeEach(async () => {
  issuer = await new StubIssuer().start();
});

afterEach(async () => {
  await guard?.stop();
  await issuer?.stop();
});

const readiness = async () => {
  const { status, body } = await guard.ask({}, '/readyz');
  const { dependencies } = JSON.parse(body) as { dependencies: Record<string, { status: string }> };
  return { status, dependencies };
};

test('A guard without a current feed introspects each token, and rejects it if the issuer does not respond.', async () => {
  guard = await TestGuard.start(issuer);
  await eventually(async () => (await readiness()).status === 200);
  const headers = { authorization: await issuer.bearer() };
  const statusNow = async () => (await guard.request('/', headers)).status;
  expect(await statusNow()).toBe(200);
  expect(issuer.countOf('introspect')).toBe(0);

  issuer.failures.set('revocations', { status: 503 });
  issuer.cut();
  await eventually(async () => (await statusNow()) === 200 && issuer.countOf('introspect') > 0);
  issuer.active = false;
  expect(await statusNow()).toBe(401);
  issuer.active = true;

  issuer.failures.set('*', { status: 503 });
  const answer = await guard.request('/', headers);
  expect([answer.status, answer.identity, answer.headers['retry-after']]).toEqual([503, {}, '1']);
  expect((await guard.request('/public/x')).status).toBe(200);
  const { status, dependencies } = await readiness();
  expect([status, dependencies.revocations?.status]).toEqual([200, 'down']);

  issuer.failures.clear();
  await eventually(
    async () => (await statusNow()) === 200 && (await readiness()).dependencies.revocations?.status === 'up',
  );
});

test('A guard that has never read the feed is not ready, and rejects tokens while the issuer is unavailable.', async () => {
  issuer.failures.set('*', 'cut');
  guard = await TestGuard.start(issuer);
  expect((await guard.request('/', { authorization: await issuer.bearer() })).status).toBe(503);
  expect((await readiness()).status).toBe(503);
  issuer.failures.clear();
  await eventually(async () => (await readiness()).status === 200);
  expect((await guard.request('/', { authorization: await issuer.bearer() })).status).toBe(200);
});
