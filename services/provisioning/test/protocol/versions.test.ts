import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, startService } from '../support/service.ts';

let directory: RecordingDirectory;
let service: RunningService;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});

describe('another version of SCIM', () => {
  test.each(['v1', 'v3', 'V1', 'v9999'])(
    'The version %s is rejected as invalidVers, for every caller and request.',
    async (version) => {
      for (const [method, path] of [
        ['GET', '/Users'],
        ['POST', '/Users'],
        ['PATCH', `/Groups/${uuidv7()}`],
        ['GET', ''],
      ] as const) {
        for (const tenant of ['demo', 'nobody']) {
          const answer = await fetch(`${service.url}/t/${tenant}/scim/${version}${path}`, {
            method,
            headers: { 'content-type': 'application/scim+json' },
            ...(method === 'GET' ? {} : { body: '{}' }),
          });
          expect(answer.status).toBe(400);
          expect(answer.headers.get('content-type')).toMatch(/^application\/scim\+json/);
          expect(await answer.json()).toMatchObject({ status: '400', scimType: 'invalidVers' });
        }
      }
    },
  );

  test('A path segment that is no version is answered with 404.', async () => {
    for (const name of ['v', 'v2x', 'v22222', 'two']) {
      expect((await fetch(`${service.url}/t/demo/scim/${name}/Users`)).status).toBe(404);
    }
  });
});
