import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';
import { hr, type SchemaApp, schemaApp } from '../support/schemas.ts';

let harness: Harness;
let acme: TenantClient;
let rival: TenantClient;
let app: SchemaApp;
let rivalApp: SchemaApp;

beforeAll(async () => {
  harness = await startDirectory();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
  app = schemaApp(harness, acme.tenant);
  rivalApp = schemaApp(harness, rival.tenant);
});

let counter = 0;
const userName = () => `recycled-${++counter}`;
const user = async (resource: object = {}): Promise<Json> =>
  (await acme.create('Users', { userName: userName(), ...resource })).body;
const group = async (members: string[] = []): Promise<Json> =>
  (
    await acme.create('Groups', {
      displayName: `G${++counter}`,
      members: members.map((value) => ({ value })),
    })
  ).body;
const restore = (id: string, by = app, selection = 'user { id userName version active groups { id } }') =>
  by.mutate('restoreUser', 'DeletedResourceInput', { id }, selection);
const restoreGroup = (id: string) =>
  app.mutate(
    'restoreGroup',
    'DeletedResourceInput',
    { id },
    'group { id members { edges { node { id: memberId } } } }',
  );
const purge = (id: string, by = app) => by.mutate('purgeUser', 'DeletedResourceInput', { id }, 'id');
const deleted = async (by = app): Promise<Json[]> =>
  (
    await by.ask(
      '{ deletedUsers { totalCount edges { node { id: resourceId name deletedBy { kind } deletedAt restorableUntil } } } }',
    )
  ).data.deletedUsers.edges.map(({ node }: Json) => node);
const eventsOf = (id: string) =>
  harness.sql<Json>(
    'SELECT type, version::int, payload FROM directory.outbox_events WHERE subject = $1 ORDER BY version',
    [id],
  );
const kept = (id: string) => harness.sql('SELECT 1 FROM directory.deleted_resources WHERE id = $1', [id]);

describe('Hard deletion (default)', () => {
  test('A hard deletion keeps no data.', async () => {
    const { id } = await user();
    expect((await acme.remove('Users', id)).status).toBe(204);
    expect(await kept(id)).toEqual([]);
    expect((await restore(id)).code).toBe('NOT_FOUND');
    expect((await eventsOf(id)).at(-1).payload).not.toHaveProperty('restorableUntil');
  });
});

describe("Soft deletion by the tenant's policy", () => {
  beforeEach(async () => {
    expect((await app.policy('SOFT')).data).toEqual({ tenant: { deletionPolicy: 'SOFT' } });
  });

  test('Soft deletion is a setting of one tenant, is recorded and needs the scope.', async () => {
    await app.policy('SOFT');
    const [tenant] = await harness.sql<Json>('SELECT version::int FROM directory.tenants WHERE id = $1', [
      acme.tenant,
    ]);
    expect(tenant.version).toBe(2);
    expect((await rivalApp.ask('{ tenant { deletionPolicy } }')).data.tenant.deletionPolicy).toBe('HARD');
    const reader = harness.issuer.token(acme.tenant, { clientId: 'reader', scopes: ['tenants:read'] });
    const mutation = 'mutation { updateTenant(input: { deletionPolicy: HARD }) { tenant { id } } }';
    expect((await harness.graph(mutation, {}, reader)).body.errors[0].extensions.code).toBe('FORBIDDEN');
    const log = await app.ask(
      '{ auditLog { edges { node { action changes { attribute before after } } } } }',
    );
    expect(log.data.auditLog.edges[0].node).toEqual({
      action: 'tenant.updated',
      changes: [{ attribute: 'deletionPolicy', before: '"hard"', after: '"soft"' }],
    });
    for (const name of ['', ' ', 'x'.repeat(201)]) {
      const answer = await app.mutate('updateTenant', 'UpdateTenantInput', { name }, 'tenant { id }');
      expect(answer.code).toBe('INVALID_INPUT');
    }
  });

  test('A soft-deleted user is absent from SCIM and the graph, and the userName is free.', async () => {
    const { id, userName: name } = await user();
    const team = await group([id]);
    expect((await acme.remove('Users', id)).status).toBe(204);
    expect((await acme.read('Users', id)).status).toBe(404);
    expect((await acme.remove('Users', id)).status).toBe(404);
    expect((await acme.patch('Users', id, [{ op: 'replace', path: 'active', value: true }])).status).toBe(
      404,
    );
    expect((await acme.replace('Users', id, { userName: name })).status).toBe(404);
    expect((await acme.search('Users', { filter: `userName eq "${name}"` })).body.totalResults).toBe(0);
    expect((await app.ask(`{ user(id: "${id}") { id } }`)).data.user).toBeNull();
    expect((await acme.read('Groups', team.id)).body.members ?? []).toEqual([]);
    const add = [{ op: 'add', path: 'members', value: [{ value: id }] }];
    expect((await acme.patch('Groups', team.id, add)).status).toBe(400);
    expect((await acme.create('Users', { userName: name })).status).toBe(201);
    const [event] = (await eventsOf(id)).slice(-1);
    expect(event).toMatchObject({ type: 'user.deleted', payload: { restorableUntil: expect.any(String) } });
  });

  test('A soft-deleted user is listed for thirty days, to its own tenant only.', async () => {
    const { id, userName: name } = await user();
    await acme.remove('Users', id);
    const [entry, ...others] = await deleted();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ id, name, deletedBy: { kind: 'CONNECTOR' } });
    expect(Date.parse(entry.restorableUntil) - Date.parse(entry.deletedAt)).toBe(30 * 86_400_000);
    expect(await deleted(rivalApp)).toEqual([]);
    expect((await restore(id, rivalApp)).code).toBe('NOT_FOUND');
    expect((await purge(id, rivalApp)).code).toBe('NOT_FOUND');
    expect(await kept(id)).toHaveLength(1);
  });

  test('A restored user has the same id, attributes, external ids and groups, with a version newer than all before.', async () => {
    await app.define({
      id: hr,
      attributes: [
        { name: 'badge', uniqueness: 'SERVER' },
        { name: 'pin', mutability: 'WRITE_ONLY' },
      ],
    });
    const person = await user({ displayName: 'Ada', externalId: 'x1', [hr]: { badge: 'b', pin: 'p' } });
    const [stays, goes] = [await group([person.id]), await group([person.id])];
    const before = (await acme.read('Users', person.id)).body;
    await acme.remove('Users', person.id);
    await acme.remove('Groups', goes.id);
    const answer = await restore(person.id);
    expect(answer.data.user).toMatchObject({
      id: person.id,
      active: true,
      version: 3,
      groups: [{ id: stays.id }],
    });
    const after = (await acme.read('Users', person.id)).body;
    expect(after).toEqual({
      ...before,
      groups: before.groups.filter(({ value }: Json) => value === stays.id),
      meta: { ...before.meta, version: 'W/"3"', lastModified: expect.any(String) },
    });
    expect((await acme.search('Users', { filter: `${hr}:badge eq "B"` })).body.totalResults).toBe(1);
    expect((await acme.create('Users', { userName: userName(), [hr]: { badge: 'b' } })).status).toBe(409);
    expect(await kept(person.id)).toEqual([]);
    const events = await eventsOf(person.id);
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['user.created', 1],
      ['user.deleted', 2],
      ['user.reactivated', 3],
    ]);
    expect(events.at(-1).payload).toMatchObject({
      restored: true,
      changedAttributes: expect.arrayContaining(['userName', 'displayName', 'externalId']),
    });
    expect((await restore(person.id)).code).toBe('NOT_FOUND');
  });

  test('A user who was deactivated before the deletion is restored deactivated.', async () => {
    const { id } = await user({ active: false });
    await acme.remove('Users', id);
    expect((await restore(id)).data.user.active).toBe(false);
    expect((await eventsOf(id)).at(-1)).toMatchObject({ type: 'user.deactivated', version: 3 });
  });

  test('A restoration is a conflict when the userName or a unique value is taken, and works once it is free.', async () => {
    await app.define({ id: hr, attributes: [{ name: 'badge', uniqueness: 'SERVER' }] });
    const person = await user({ [hr]: { badge: 'b' } });
    await acme.remove('Users', person.id);
    const successor = (await acme.create('Users', { userName: person.userName.toUpperCase() })).body;
    expect((await restore(person.id)).code).toBe('NOT_UNIQUE');
    await acme.remove('Users', successor.id);
    const holder = (await acme.create('Users', { userName: userName(), [hr]: { badge: 'B' } })).body;
    expect((await restore(person.id)).code).toBe('NOT_UNIQUE');
    await acme.patch('Users', holder.id, [{ op: 'remove', path: hr }]);
    expect((await restore(person.id)).errors).toBeUndefined();
  });

  test('A restoration drops values that are no longer defined, and requires those that are required now.', async () => {
    await app.define({ id: hr, attributes: [{ name: 'badge' }, { name: 'level', type: 'INTEGER' }] });
    const person = await user({ [hr]: { badge: 'b', level: 1 } });
    await acme.remove('Users', person.id);
    await app.update({ id: hr, removeAttributes: ['badge'] });
    await app.update({ id: hr, setAttributes: [{ name: 'badge', type: 'INTEGER' }] });
    await app.update({ id: hr, setAttributes: [{ name: 'city', required: true }] });
    expect((await restore(person.id)).code).toBe('CONFLICT');
    await app.update({ id: hr, setAttributes: [{ name: 'city' }] });
    expect((await restore(person.id)).errors).toBeUndefined();
    expect((await acme.read('Users', person.id)).body[hr]).toEqual({ level: 1 });
  });

  test('Of fifty parallel restorations one succeeds, and either a restoration or a new user gets the userName.', async () => {
    const person = await user();
    await acme.remove('Users', person.id);
    const answers = await Promise.all(Array.from({ length: 50 }, () => restore(person.id)));
    expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
    expect(new Set(answers.flatMap(({ code }) => code ?? []))).toEqual(new Set(['NOT_FOUND']));
    await acme.remove('Users', person.id);
    const [restored, created] = await Promise.all([
      restore(person.id),
      acme.create('Users', { userName: person.userName }),
    ]);
    expect([restored.code === undefined, created.status === 201].filter(Boolean)).toHaveLength(1);
  });

  test('A resource is restored or purged at the version of its deletion, and of several callers one succeeds.', async () => {
    for (const [list, resource, mine] of [
      ['deletedUsers', 'User', await user()],
      ['deletedGroups', 'Group', await group()],
    ] as const) {
      const { id } = mine;
      const [restoring, purging] = [`restore${resource}`, `purge${resource}`];
      const at = (mutation: string, version: number, by = app) => {
        const selection = mutation === purging ? 'id' : `${resource.toLowerCase()} { id }`;
        return by.mutate(mutation, 'DeletedResourceInput', { id, version }, selection);
      };
      const versionOf = async () =>
        (await app.ask(`{ ${list} { edges { node { id: resourceId version } } } }`)).data[list].edges.find(
          ({ node }: Json) => node.id === id,
        ).node.version;
      await acme.remove(`${resource}s`, id);
      expect(await versionOf()).toBe(2);
      for (const mutation of [restoring, purging]) {
        expect((await at(mutation, 1)).code).toBe('VERSION_CONFLICT');
        expect((await at(mutation, 2, rivalApp)).code).toBe('NOT_FOUND');
      }
      expect((await at(restoring, 2)).errors).toBeUndefined();
      await acme.remove(`${resource}s`, id);
      // A decision based on the earlier deletion does not apply to this one.
      for (const mutation of [restoring, purging]) {
        expect((await at(mutation, 2)).code).toBe('VERSION_CONFLICT');
      }
      const version = await versionOf();
      expect(version).toBe(4);
      const answers = await Promise.all(
        [restoring, purging, purging, restoring].map((mutation) => at(mutation, version)),
      );
      expect(answers.map(({ code }) => code ?? 'done').sort()).toEqual([
        'NOT_FOUND',
        'NOT_FOUND',
        'NOT_FOUND',
        'done',
      ]);
      expect(await kept(id)).toEqual([]);
    }
  });

  test('Groups are restored with those members that still exist, and never as a cycle.', async () => {
    const [stays, goes] = [await user(), await user()];
    const inner = await group([stays.id]);
    const outer = await group([inner.id, stays.id, goes.id]);
    await acme.remove('Groups', outer.id);
    expect((await acme.read('Groups', outer.id)).status).toBe(404);
    await acme.remove('Users', goes.id);
    const listed = await app.ask('{ deletedGroups { totalCount edges { node { id: resourceId name } } } }');
    expect(listed.data.deletedGroups).toEqual({
      totalCount: 1,
      edges: [{ node: { id: outer.id, name: outer.displayName } }],
    });
    const restored = await restoreGroup(outer.id);
    const members = restored.data.group.members.edges.map(({ node }: Json) => node.id).sort();
    expect(members).toEqual([inner.id, stays.id].sort());
    // `inner` was in `outer`. Now a group that contains `outer` is added to `inner` before `outer` is restored.
    const top = await group([outer.id]);
    await acme.remove('Groups', outer.id);
    expect(
      (await acme.patch('Groups', inner.id, [{ op: 'add', path: 'members', value: [{ value: top.id }] }]))
        .status,
    ).toBe(200);
    const again = await restoreGroup(outer.id);
    expect(again.data.group.members.edges.map(({ node }: Json) => node.id)).toEqual([stays.id]);
  });

  test('After thirty days deleted users are purged automatically, and an event reports the permanent deletion.', async () => {
    const [old, young] = [await user(), await user()];
    await acme.remove('Users', old.id);
    await acme.remove('Users', young.id);
    await harness.sql(
      `UPDATE directory.deleted_resources SET restorable_until = now() - interval '1 second' WHERE id = $1`,
      [old.id],
    );
    expect((await restore(old.id)).code).toBe('NOT_FOUND');
    expect((await deleted()).map(({ id }) => id)).toEqual([young.id]);
    await Promise.all([harness.tidy(), harness.tidy()]);
    expect([await kept(old.id), await kept(young.id)]).toEqual([[], [expect.anything()]]);
    const events = await eventsOf(old.id);
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['user.created', 1],
      ['user.deleted', 2],
      ['user.deleted', 3],
    ]);
    expect(events.at(-1).payload).not.toHaveProperty('restorableUntil');
  });

  test('A soft-deleted resource can be purged immediately.', async () => {
    const { id } = await user();
    await acme.remove('Users', id);
    expect((await purge(id)).data).toEqual({ id });
    expect(await kept(id)).toEqual([]);
    expect((await purge(id)).code).toBe('NOT_FOUND');
    expect((await purge('nonsense')).code).toBe('NOT_FOUND');
    expect((await restore(randomUUID())).code).toBe('NOT_FOUND');
  });
});
