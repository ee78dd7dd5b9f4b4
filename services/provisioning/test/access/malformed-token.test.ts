import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ChallengedRoute, challengeRoutes, recordRoutes } from '@ostiary/access/testing';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, startService } from '../support/service.ts';

const routes = recordRoutes();

let directory: RecordingDirectory;
let service: RunningService;
let answers: ChallengedRoute[];

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
  answers = await challengeRoutes(service.url, routes, {
    fill: { tenant: 'demo', id: '01990000-0000-7000-8000-000000000000' },
  });
});

afterAll(async () => {
  await service?.close();
  await directory?.close();
});

test('A malformed token is an invalid token at every protected route (RFC 6750 §3.1).', () => {
  const guarded = answers.filter(({ isProtected }) => isProtected);
  expect(guarded.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  expect(guarded.length).toBeGreaterThan(15);
});

test('Every route is protected, or listed as public.', () => {
  const open =
    /^\/(livez|readyz|metrics)$|oauth-protected-resource|\/(ServiceProviderConfig|ResourceTypes|Schemas)(\/:\w+)?$/;
  const unknown = answers.filter(
    ({ isProtected, status, url }) => !isProtected && status !== 405 && status !== 404 && !open.test(url),
  );
  expect(unknown).toEqual([]);
});
