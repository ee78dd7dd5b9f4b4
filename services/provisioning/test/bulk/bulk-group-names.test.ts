import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { upsertTenant } from '../../src/events/data/tenants.ts';
import { type Source, startWithDirectory, type WithDirectory } from '../support/real-directory.ts';

const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

let running: WithDirectory;
let source: Source;

beforeAll(async () => {
  const settings = { uniqueGroupNames: true };
  running = await startWithDirectory({}, { TENANT_POLICY_DEFAULTS: JSON.stringify(settings) });
  const policy = { version: 1_000, settings };
  const demo = { id: 'demo', name: 'demo', status: 'active', version: 1_000, policy } as const;
  await upsertTenant(running.service.database.sql, demo);
  source = await running.source('auto');
});
afterAll(() => running?.close());

const group = (displayName: string) => ({ schemas: [groupSchema], displayName });
const create = (bulkId: string, name: string) => ({
  method: 'POST',
  path: '/Groups',
  bulkId,
  data: group(name),
});
const make = async (name: string): Promise<string> =>
  (await source.call('POST', '/Groups', { body: group(name) })).body.id;
const bulk = async (Operations: object[]): Promise<string[]> => {
  const { body } = await source.call('POST', '/Bulk', { body: { schemas: [bulkSchema], Operations } });
  return body.Operations.map(({ status }: { status: string }) => status);
};
const rename = {
  PUT: (id: string, name: string) => ({ method: 'PUT', path: `/Groups/${id}`, data: group(name) }),
  PATCH: (id: string, name: string) => ({
    method: 'PATCH',
    path: `/Groups/${id}`,
    data: { schemas: [patchSchema], Operations: [{ op: 'replace', value: { displayName: name } }] },
  }),
};

describe('With unique group names, a Bulk has the result of sequential execution', () => {
  test('The first operation that requests a name gets it.', async () => {
    for (let time = 0; time < 5; time += 1) {
      const names = Array.from({ length: 6 }, (_, index) => `${index % 2 ? 'TEAM' : 'Team'}  ${time}`);
      const operations = names.map((name, index) => create(`b${index}`, name));
      expect(await bulk(operations)).toEqual(['201', ...Array(5).fill('409')]);
    }
  });

  test.each(['PUT', 'PATCH'] as const)(
    'A name that an earlier operation releases can be taken by a later one (%s).',
    async (way) => {
      const names = Array.from({ length: 8 }, (_, index) => `${way} ${index}`);
      const ids = await Promise.all(names.map(make));
      // Each takes the name of the one before, which has just got another.
      const operations = ids.map((id, index) =>
        rename[way](id, index === 0 ? `${way} new` : (names[index - 1] ?? '')),
      );
      expect(await bulk(operations)).toEqual(Array(8).fill('200'));
      // A name that is released only later is still taken.
      const swapped = [rename[way](ids[1] ?? '', names[1] ?? ''), rename[way](ids[2] ?? '', `${way} other`)];
      expect(await bulk(swapped)).toEqual(['409', '200']);
    },
  );
});
