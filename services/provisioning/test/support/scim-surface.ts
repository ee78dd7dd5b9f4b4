import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { publicOrigin } from './authorization-server.ts';
import { type RecordingDirectory, startRecordingDirectory } from './recording-directory.ts';
import { type RunningService, startService } from './service.ts';

export const base = `${publicOrigin}/t/demo/scim/v2`;

export const searchRequest = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

export let directory: RecordingDirectory;
export let service: RunningService;
export let token: string;
export let connectorId: string;

export const id = uuidv7();

/** Starts the service with a recording directory. */
export function setUpSurface(): void {
  beforeAll(async () => {
    directory = await startRecordingDirectory();
    service = await startService({ directoryUrl: directory.url });
    const made = await service.connector({ name: 'HR' });
    token = made.token;
    connectorId = made.connector.id;
  });
  afterAll(async () => {
    await service?.close();
    await directory?.close();
  });
  beforeEach(() => {
    directory.clear();
    service.authorization.state.down = false;
    service.authorization.staged.length = 0;
  });
}

export function expectError(
  answer: { status: number; body: unknown; headers: Headers },
  status: number,
  scimType?: string,
) {
  expect(answer.body).toEqual({
    schemas: [errorSchema],
    status: String(status),
    detail: expect.any(String),
    ...(scimType === undefined ? {} : { scimType }),
  });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/scim\+json/);
}
