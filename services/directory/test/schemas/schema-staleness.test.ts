import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createOutbox } from '@ostiary/events';
import { Directory } from '../../src/composition/directory.ts';
import { eventConsumers } from '../../src/events/domain/deliveries.ts';
import {
  actor,
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';
import { hr, type SchemaApp, schemaApp } from '../support/schemas.ts';

const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
const coreGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const badge = [{ name: 'badge' }];

let harness: Harness;
/** Runs once, right before the next statement that writes a user over an older version. */
let beforeReplacement: (() => Promise<void>) | undefined;
let acme: TenantClient;
let app: SchemaApp;

beforeAll(async () => {
  harness = await startDirectory({
    wrap: (database) => ({
      ...database,
      sql: {
        prisma: database.sql.prisma,
        query: async (text, values) => {
          if (text.includes('UPDATE directory.users')) {
            const run = beforeReplacement;
            beforeReplacement = undefined;
            await run?.();
          }
          return database.sql.query(text, values);
        },
      },
    }),
  });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  acme = tenantClient(harness, await harness.tenant());
  app = schemaApp(harness, acme.tenant);
});

let counter = 0;
const userName = () => `stale-${++counter}`;

describe('Processes with outdated schemas', () => {
  let deaf: Directory;

  /** Returns a directory with the tenant's current schemas that receives no notifications. */
  async function another(): Promise<Directory> {
    const { database } = harness;
    const outbox = createOutbox('directory', eventConsumers);
    const directory = new Directory({ database, outbox, clock: Date.now });
    await directory.of(acme.tenant);
    return directory;
  }

  beforeEach(async () => {
    deaf = await another();
  });

  const users = async () => (await deaf.of(acme.tenant)).users;
  const groups = async () => (await deaf.of(acme.tenant)).groups;

  test.each([
    ['a PATCH without a path', [{ op: 'add', value: { [hr]: { badge: 'x' } } }]],
    ['a PATCH with a path', [{ op: 'add', path: `${hr}:badge`, value: 'x' }]],
  ])('A process with outdated schemas keeps the values of a new schema in %s.', async (_what, operations) => {
    const { id } = (await acme.create('Users', { userName: userName() })).body;
    await app.define({ id: hr, attributes: badge });
    const patched = await (await users()).patch({ id, actor, operations });
    expect(patched.data[hr]).toEqual({ badge: 'x' });
    expect((await acme.read('Users', id)).body[hr]).toEqual({ badge: 'x' });
  });

  test.each([
    ['named in schemas', [core, hr]],
    ['not named in schemas', [core]],
  ])(
    'A process with outdated schemas keeps the values of a PUT for a new schema %s.',
    async (_how, schemas) => {
      const name = userName();
      const { id } = (await acme.create('Users', { userName: name })).body;
      await app.define({ id: hr, attributes: badge });
      const resource = { schemas, userName: name, [hr]: { badge: 'x' } };
      const replaced = await (await users()).replace({ id, actor, resource });
      expect(replaced.data[hr]).toEqual({ badge: 'x' });
    },
  );

  test('A process with outdated schemas keeps the values of a new schema in a POST.', async () => {
    await app.define({ id: hr, attributes: badge });
    const resource = { schemas: [core, hr], userName: userName(), [hr]: { badge: 'x' } };
    expect((await (await users()).create({ actor, resource })).data[hr]).toEqual({ badge: 'x' });
  });

  test('A process with outdated schemas keeps the values of a group, with and without a change of its members.', async () => {
    const member = (await acme.create('Users', { userName: userName() })).body.id;
    const { id } = (await acme.create('Groups', { displayName: 'G' })).body;
    await app.define({ id: hr, resourceType: 'GROUP', attributes: [{ name: 'badge' }, { name: 'floor' }] });
    const attribute = { op: 'add', value: { [hr]: { badge: 'x' } } };
    const patched = await (await groups()).patch({
      id,
      actor,
      operations: [attribute, { op: 'add', path: 'members', value: [{ value: member }] }],
    });
    expect(patched.data[hr]).toEqual({ badge: 'x' });
    const other = await another();
    await app.update({ id: hr, setAttributes: [{ name: 'shelf' }] });
    const resource = {
      schemas: [coreGroup],
      displayName: 'G',
      members: [{ value: member }],
      [hr]: { badge: 'x', shelf: 's' },
    };
    const replaced = await (await other.of(acme.tenant)).groups.replace({ id, actor, resource });
    expect(replaced.data[hr]).toEqual({ badge: 'x', shelf: 's' });
  });

  test('A process with outdated schemas filters and sorts by a new schema.', async () => {
    await app.define({ id: hr, attributes: badge });
    const { id } = (await acme.create('Users', { userName: userName(), [hr]: { badge: 'x' } })).body;
    const found: Json = await (await users()).search({ filter: `${hr}:badge eq "x"`, sortBy: `${hr}:badge` });
    expect(found.Resources.map((user: Json) => user.id)).toEqual([id]);
  });

  test('A process with outdated schemas rejects values that the current schemas reject too.', async () => {
    const { id } = (await acme.create('Users', { userName: userName() })).body;
    await app.define({ id: hr, attributes: badge });
    const operations = [{ op: 'add', path: `${hr}:unknown`, value: 'x' }];
    await expect((await users()).patch({ id, actor, operations })).rejects.toMatchObject({
      scimType: 'invalidPath',
    });
  });
});

describe('Values that are no longer defined', () => {
  /** As if the process had ended right after the schema was deleted: its values wait to be removed. */
  async function withdraw(): Promise<void> {
    await harness.sql(
      `WITH gone AS (DELETE FROM directory.schemas WHERE tenant = $1)
       INSERT INTO directory.schema_removals (tenant, id, urn, resource_type)
       VALUES ($1, '01a1f800-0000-7000-8000-000000000000', $2, 'User')`,
      [acme.tenant, hr],
    );
    await harness.sql('UPDATE directory.tenants SET schemas_version = schemas_version + 1 WHERE id = $1', [
      acme.tenant,
    ]);
  }

  const stored = async (id: string): Promise<Json> =>
    (
      await harness.sql<Json>('SELECT data, folded, version::int FROM directory.users WHERE id = $1', [id])
    )[0];

  test('A value that is no longer defined is not written back by a writer who read it before its removal.', async () => {
    await app.define({ id: hr, attributes: badge });
    const { id } = (await acme.create('Users', { userName: userName(), [hr]: { badge: 'old' } })).body;
    await withdraw();
    // The process now has the current schemas.
    await acme.create('Users', { userName: userName() });
    beforeReplacement = () => harness.tidy();
    const patched = await acme.patch('Users', id, [{ op: 'add', path: 'title', value: 'Dr' }]);
    expect(patched.status).toBe(200);
    expect(beforeReplacement).toBeUndefined();
    const after = await stored(id);
    expect(after.data.title).toBe('Dr');
    expect(JSON.stringify(after)).not.toContain(hr);
    await app.define({ id: hr, attributes: [{ name: 'badge', type: 'INTEGER' }] });
    expect((await acme.read('Users', id)).body).not.toHaveProperty([hr]);
  });

  test('A value that is no longer defined makes no new version of an unchanged resource.', async () => {
    await app.define({ id: hr, attributes: badge });
    const { id } = (await acme.create('Users', { userName: userName(), [hr]: { badge: 'old' } })).body;
    await withdraw();
    const patched = await acme.patch('Users', id, [{ op: 'replace', path: 'active', value: true }]);
    expect(patched.body.meta.version).toBe('W/"1"');
    expect(await stored(id)).toMatchObject({ version: 1 });
  });
});
