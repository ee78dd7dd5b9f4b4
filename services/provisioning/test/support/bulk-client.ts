import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { publicOrigin } from './authorization-server.ts';
import { type RecordingDirectory, startRecordingDirectory } from './recording-directory.ts';
import { type RunningService, type ScimResponse, startService } from './service.ts';

export const base = `${publicOrigin}/t/demo/scim/v2`;
export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
export const bulkResponse = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';
export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** The id of a user. */
export const id = uuidv7();

export const user = (userName: string, more: object = {}) => ({ schemas: [userSchema], userName, ...more });
export const group = (displayName: string, ...members: string[]) => ({
  schemas: [groupSchema],
  displayName,
  members: members.map((value) => ({ value })),
});
export const post = (bulkId: string, data: object) => ({
  method: 'POST',
  path: 'userName' in data ? '/Users' : '/Groups',
  bulkId,
  data,
});
export const patch = (path: string, ...Operations: object[]) => ({
  method: 'PATCH',
  path,
  data: { schemas: [patchOp], Operations },
});
export const statuses = (answer: ScimResponse) =>
  answer.body.Operations.map((o: { status: string }) => o.status);
export const refused = (status: number, scimType: string | undefined, detail = 'Refused.') => ({
  status,
  body: { schemas: [errorSchema], status: String(status), detail, ...(scimType ? { scimType } : {}) },
});

/** Starts the service with a recording directory. Call it where tests are defined. */
export function bulkClient() {
  let directory: RecordingDirectory;
  let service: RunningService;
  let token: string;

  beforeAll(async () => {
    directory = await startRecordingDirectory();
    service = await startService({ directoryUrl: directory.url, limits: { bodyLimit: 1_000_000 } });
    token = (await service.connector({ name: 'HR' })).token;
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

  const bulk = (
    Operations: unknown,
    o: { failOnErrors?: unknown; headers?: Record<string, string>; query?: string; token?: string } = {},
  ): Promise<ScimResponse> =>
    service.scim('POST', `/Bulk${o.query ?? ''}`, {
      token: o.token ?? token,
      ...(o.headers ? { headers: o.headers } : {}),
      body: {
        schemas: [bulkRequest],
        Operations,
        ...(o.failOnErrors === undefined ? {} : { failOnErrors: o.failOnErrors }),
      },
    });
  const made = () =>
    directory.commands.map(({ body }) => body?.resource?.userName ?? body?.resource?.displayName);

  return {
    bulk,
    made,
    get directory() {
      return directory;
    },
    get service() {
      return service;
    },
    get token() {
      return token;
    },
  };
}
