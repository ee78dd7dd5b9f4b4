import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { type Source, startWithDirectory, type WithDirectory } from '../support/real-directory.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

let running: WithDirectory;
let source: Source;
let foreign: string;
let serial = 0;

const userOf = async (of: Source): Promise<string> =>
  (await of.call('POST', '/Users', { body: { schemas: [userSchema], userName: `member${++serial}` } })).body
    .id;

beforeAll(async () => {
  running = await startWithDirectory();
  source = await running.source();
  foreign = await userOf(await running.source('rfc', 'rival'));
});
afterAll(() => running?.close());

const values = (members: readonly string[]) => members.map((value) => ({ value }));
const groupWith = (members: readonly string[] = []) => ({
  schemas: [groupSchema],
  displayName: `Group ${++serial}`,
  members: values(members),
});
const adding = (members: readonly string[]) => ({
  schemas: [patchSchema],
  Operations: [{ op: 'add', path: 'members', value: values(members) }],
});
const newGroup = async (): Promise<string> =>
  (await source.call('POST', '/Groups', { body: groupWith() })).body.id;
const bulk = async (operation: Record<string, unknown>) => {
  const { body } = await source.call('POST', '/Bulk', {
    body: { schemas: [bulkSchema], Operations: [operation] },
  });
  const [{ status, response }] = body.Operations;
  return { status: Number(status), body: response };
};

/** Requests that name members of a group, each with the group that it would change. */
const requests = {
  'a POST of a group': async (members: readonly string[]) =>
    source.call('POST', '/Groups', { body: groupWith(members) }),
  'a PUT of a group': async (members: readonly string[], id: string) =>
    source.call('PUT', `/Groups/${id}`, { body: groupWith(members) }),
  'a PATCH of a group': async (members: readonly string[], id: string) =>
    source.call('PATCH', `/Groups/${id}`, { body: adding(members) }),
  'a POST of a group in a Bulk': async (members: readonly string[]) =>
    bulk({ method: 'POST', path: '/Groups', bulkId: 'g', data: groupWith(members) }),
  'a PATCH of a group in a Bulk': async (members: readonly string[], id: string) =>
    bulk({ method: 'PATCH', path: `/Groups/${id}`, data: adding(members) }),
};

test.each(Object.entries(requests))(
  'The error of %s with several members names the unknown one, equally for a user of the rival tenant, and adds none.',
  async (_, request) => {
    const id = await newGroup();
    for (const unknown of [uuidv7(), foreign, 'no id']) {
      const { status, body } = await request([await userOf(source), unknown, await userOf(source)], id);
      expect(status).toBe(400);
      expect(body).toEqual({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '400',
        scimType: 'invalidValue',
        detail: `Member "${unknown}" is not the id of an existing user or group.`,
      });
    }
    const { body } = await source.call('GET', `/Groups/${id}`);
    expect(body.members ?? []).toEqual([]);
  },
);
