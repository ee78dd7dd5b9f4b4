import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { statementsDuring } from '@ostiary/database/testing';
import { uuidv7 } from '@ostiary/service';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, startService } from '../support/service.ts';

const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
const patch = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'active', value: false }],
};

let directory: RecordingDirectory;
let service: RunningService;
let token: string;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
  token = (await service.connector({ name: 'HR' })).token;
});

afterAll(async () => {
  await service.close();
  await directory.close();
});

/** Only Prisma quotes all names. */
const ofPrisma = (statements: readonly string[]): string[] =>
  statements.filter((text) => text.includes('"provisioning"."'));

test('A read, a search, a creation, a PATCH and a Bulk cost no statement of the Prisma client.', async () => {
  const path = `/Users/${uuidv7()}`;
  const bulk = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [{ method: 'PATCH', path, data: patch }],
  };
  const paths: Record<string, () => Promise<{ status: number }>> = {
    read: () => service.scim('GET', path, { token }),
    search: () => service.scim('GET', '/Users?filter=userName%20eq%20%22ada%22', { token }),
    creation: () => service.scim('POST', '/Users', { token, body: { schemas, userName: 'ada' } }),
    patch: () => service.scim('PATCH', path, { token, body: patch }),
    bulk: () =>
      service.scim('POST', '/Bulk', { token, headers: { 'idempotency-key': uuidv7() }, body: bulk }),
  };
  for (const [name, send] of Object.entries(paths)) {
    let status = 0;
    const statements = await statementsDuring(
      async () => {
        status = (await send()).status;
      },
      () => true,
    );
    expect({ name, status }).toEqual({ name, status: name === 'creation' ? 201 : 200 });
    expect(statements).not.toEqual([]);
    expect({ name, prisma: ofPrisma(statements) }).toEqual({ name, prisma: [] });
  }
});

test('Statements of the Prisma client are recognised.', async () => {
  const statements = await statementsDuring(
    async () => (await service.database.sql.prisma()).connector.count(),
    () => true,
  );
  expect(ofPrisma(statements)).toHaveLength(1);
});
