import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChallengedRoute, challengeRoutes, recordRoutes } from '@ostiary/access/testing';
import { type Harness, startDirectory } from '../support/harness.ts';

const routes = recordRoutes();

let harness: Harness;
let answers: ChallengedRoute[];

beforeAll(async () => {
  harness = await startDirectory();
  answers = await challengeRoutes(harness.url, routes, {
    fill: { tenant: await harness.tenant(), id: '01990000-0000-7000-8000-000000000000' },
  });
});

afterAll(() => harness?.stop());

test('A malformed token is an invalid token at every route (RFC 6750 §3.1).', () => {
  const guarded = answers.filter(({ isProtected }) => isProtected);
  expect(guarded.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  expect(guarded.length).toBeGreaterThan(10);
  const open = answers.filter(
    ({ isProtected, url }) => !isProtected && !/^\/(livez|readyz|metrics)$/.test(url),
  );
  expect(open).toEqual([]);
});
