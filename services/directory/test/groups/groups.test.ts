import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from '../support/harness.ts';

let harness: Harness;
let acme: TenantClient;
let rival: TenantClient;

beforeAll(async () => {
  harness = await startDirectory();
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
});
afterAll(() => harness.stop());

let counter = 0;
const user = async (client = acme): Promise<string> =>
  (await client.create('Users', { userName: `member${++counter}` })).body.id;
const group = async (members: string[] = [], displayName = `group${++counter}`): Promise<string> =>
  (await acme.create('Groups', { displayName, members: members.map((value) => ({ value })) })).body.id;
const add = (id: string, ...ids: string[]) =>
  acme.patch('Groups', id, [{ op: 'add', path: 'members', value: ids.map((value) => ({ value })) }]);
const membersOf = async (id: string): Promise<string[]> =>
  ((await acme.read('Groups', id)).body.members ?? []).map((member: Json) => member.value).sort();
const versionOf = async (id: string): Promise<string> => (await acme.read('Groups', id)).body.meta.version;

describe('Groups of a tenant', () => {
  test('A group is created with members of both kinds.', async () => {
    const [person, inner] = [await user(), await group([], 'Inner')];
    const made = await acme.create('Groups', {
      displayName: 'Outer',
      externalId: 'g-1',
      members: [{ value: person }, { value: inner }, { value: person }],
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      displayName: 'Outer',
      externalId: 'g-1',
      meta: { resourceType: 'Group' },
    });
    expect(made.body.members).toHaveLength(2);
    expect(made.body.members).toEqual(
      expect.arrayContaining([
        { value: person, type: 'User', display: expect.stringMatching(/^member/) },
        { value: inner, type: 'Group', display: 'Inner' },
      ]),
    );
  });

  test('A group may have the name of another group.', async () => {
    await group([], 'Twins');
    expect((await acme.create('Groups', { displayName: 'Twins' })).status).toBe(201);
  });

  test('A group needs a displayName.', async () => {
    expect((await acme.create('Groups', {})).status).toBe(400);
    const id = await group();
    expect((await acme.patch('Groups', id, [{ op: 'remove', path: 'displayName' }])).status).toBe(400);
    expect((await acme.replace('Groups', id, {})).status).toBe(400);
  });

  test('A group is read without touching its members when they are excluded.', async () => {
    const id = await group([await user()]);
    harness.statements();
    const { body } = await acme.read('Groups', id, '?excludedAttributes=members');
    expect(body.members).toBeUndefined();
    expect(harness.statements().join()).not.toContain('memberships');
  });

  test('A group is deleted, also from its parents, and its members stay.', async () => {
    const person = await user();
    const inner = await group([person]);
    const outer = await group([inner]);
    expect((await rival.remove('Groups', inner)).status).toBe(404);
    expect((await acme.remove('Groups', inner)).status).toBe(204);
    expect(await membersOf(outer)).toEqual([]);
    expect(await versionOf(outer)).toBe('W/"2"');
    expect((await acme.read('Users', person)).status).toBe(200);
    expect((await acme.remove('Groups', inner)).status).toBe(404);
  });
});

describe('Members of a group', () => {
  test('Members are added, removed one by one or by value, replaced and cleared.', async () => {
    const [a, b, c] = [await user(), await user(), await user()] as [string, string, string];
    const id = await group();
    await add(id, a, b);
    expect(await membersOf(id)).toEqual([a, b].sort());
    await acme.patch('Groups', id, [{ op: 'remove', path: `members[value eq "${a}"]` }]);
    expect(await membersOf(id)).toEqual([b]);
    await acme.patch('Groups', id, [{ op: 'replace', path: 'members', value: [{ value: a }, { value: c }] }]);
    expect(await membersOf(id)).toEqual([a, c].sort());
    await acme.patch('Groups', id, [{ op: 'remove', path: 'members' }]);
    expect(await membersOf(id)).toEqual([]);
    expect(await versionOf(id)).toBe('W/"5"');
  });

  test('Adding a present member or removing an absent member changes nothing.', async () => {
    const a = await user();
    const id = await group([a]);
    await add(id, a);
    await acme.patch('Groups', id, [{ op: 'remove', path: `members[value eq "${randomUUID()}"]` }]);
    expect(await versionOf(id)).toBe('W/"1"');
  });

  test('Members and the name of a group change together in one version and one event.', async () => {
    const [a, b] = [await user(), await user()] as [string, string];
    const id = await group([a]);
    const { body } = await acme.patch('Groups', id, [
      { op: 'replace', path: 'displayName', value: 'Renamed' },
      { op: 'add', path: 'members', value: [{ value: b }] },
      { op: 'remove', path: `members[value eq "${a}"]` },
    ]);
    expect(body).toMatchObject({ displayName: 'Renamed', meta: { version: 'W/"2"' } });
    expect(body.members.map((member: Json) => member.value)).toEqual([b]);
    const events = await harness.sql(
      'SELECT type, payload FROM directory.outbox_events WHERE subject = $1 ORDER BY position',
      [id],
    );
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      type: 'group.updated',
      payload: {
        displayName: 'Renamed',
        membersAdded: [b],
        membersRemoved: [a],
        changedAttributes: ['displayName', 'members'],
      },
    });
  });

  test('Members that are left out of a PUT are cleared.', async () => {
    const id = await group([await user()]);
    await acme.replace('Groups', id, { displayName: 'Emptied' });
    expect(await membersOf(id)).toEqual([]);
  });

  test('Members of another tenant are rejected exactly like members that do not exist.', async () => {
    const id = await group();
    const theirs = await rival.create('Groups', { displayName: 'Theirs' });
    for (const member of [await user(rival), theirs.body.id, randomUUID(), '42']) {
      const body = { displayName: 'x', members: [{ value: member }] };
      for (const answer of [
        await add(id, member),
        await acme.create('Groups', body),
        await acme.replace('Groups', id, body),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body).toEqual({
          schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
          status: '400',
          scimType: 'invalidValue',
          detail: `Member "${member}" is not the id of an existing user or group.`,
        });
      }
    }
  });

  test('Of several members, the error names the unknown one, and none is added.', async () => {
    const [id, known, unknown] = [await group(), await user(), randomUUID()];
    const value = [known, unknown, await user()].map((member) => ({ value: member }));
    const answer = await acme.patch('Groups', id, [{ op: 'add', path: 'members', value }]);
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining(`"${unknown}"`) } });
    expect(await membersOf(id)).toEqual([]);
  });

  test('Members of the right kind cannot cross tenants, even in the database.', async () => {
    const [id, foreign] = [await group(), await user(rival)];
    for (const tenant of [acme.tenant, rival.tenant]) {
      await expect(
        harness.sql(
          'INSERT INTO directory.user_memberships (tenant, group_id, member_id) VALUES ($1, $2, $3)',
          [tenant, id, foreign],
        ),
      ).rejects.toMatchObject({ code: '23503' });
    }
  });

  test('Members are changed by set operations, for any size of the group.', async () => {
    const [big, one] = [await group([], 'Big'), await user()];
    await harness.sql(
      `WITH made AS (
         INSERT INTO directory.users (tenant, id, user_name, user_name_key, active, data, folded, created_at, updated_at)
         SELECT $1, gen_random_uuid(), 'bulk' || n, 'bulk' || n, true,
                jsonb_build_object('userName', 'bulk' || n), jsonb_build_object('userName', 'bulk' || n), now(), now()
         FROM generate_series(1, 3000) n RETURNING id)
       INSERT INTO directory.user_memberships (tenant, group_id, member_id) SELECT $1, $2, id FROM made`,
      [acme.tenant, big],
    );
    const patch = (operations: object[]) =>
      acme.patch('Groups', big, operations, { excludedAttributes: ['members'] });
    const added = await patch([{ op: 'add', path: 'members', value: [{ value: one }] }]);
    expect(added).toMatchObject({ status: 200, body: { meta: { version: 'W/"2"' } } });
    expect(added.body.members).toBeUndefined();
    const ids = await harness.sql('SELECT member_id FROM directory.user_memberships WHERE group_id = $1', [
      big,
    ]);
    const everybody = ids.map((row) => ({ value: row.member_id }));
    expect(await patch([{ op: 'replace', path: 'members', value: everybody }])).toMatchObject({
      status: 200,
      body: { meta: { version: 'W/"2"' } },
    });
    const replaced = await patch([{ op: 'replace', path: 'members', value: [{ value: one }] }]);
    expect(replaced.status).toBe(200);
    expect(await membersOf(big)).toEqual([one]);
    const [event] = await harness.sql(
      'SELECT payload FROM directory.outbox_events WHERE subject = $1 ORDER BY position DESC LIMIT 1',
      [big],
    );
    expect(event.payload.membersTruncated).toBe(true);
    expect(event.payload.membersRemoved).toHaveLength(1000);
  });
});

describe('Nested groups', () => {
  test('Nesting gives users their direct and indirect groups.', async () => {
    const person = await user();
    const inner = await group([person], 'B inner');
    const middle = await group([inner, person], 'C middle');
    const outer = await group([middle], 'A outer');
    const { body } = await acme.read('Users', person);
    expect(body.groups).toEqual([
      { value: outer, display: 'A outer', type: 'indirect' },
      { value: inner, display: 'B inner', type: 'direct' },
      { value: middle, display: 'C middle', type: 'direct' },
    ]);
    expect((await acme.read('Users', person, '?excludedAttributes=groups')).body.groups).toBeUndefined();
    const found = await acme.search('Users', { filter: `groups.value eq "${outer}"` });
    expect(found.body.Resources.map((resource: Json) => resource.id)).toEqual([person]);
  });

  test('Nesting has no cycles.', async () => {
    const c = await group();
    const b = await group([c]);
    const a = await group([b]);
    for (const [outer, inner] of [
      [a, a],
      [c, a],
      [c, b],
      [b, a],
    ] as [string, string][]) {
      expect(await add(outer, inner)).toMatchObject({ status: 409, body: { status: '409' } });
    }
    expect((await add(a, c)).status).toBe(200);
  });

  test('Nesting has no cycles when both halves arrive concurrently.', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [await group(), await group()];
      const answers = await Promise.all([add(a, b), add(b, a)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  test('Nesting has no cycles when a ring of ten arrives in one request.', async () => {
    const ring = await Promise.all(Array.from({ length: 10 }, () => group()));
    const answers = await Promise.all(ring.map((id, i) => add(id, ring[(i + 1) % ring.length] as string)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
  });

  test('Nesting survives concurrent deletions and additions of groups.', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b, c] = [await group(), await group(), await group()];
      await add(a, b);
      const answers = await Promise.all([
        acme.remove('Groups', b),
        add(b, c),
        add(c, a),
        add(a, await user()),
        acme.remove('Groups', a),
      ]);
      for (const { status } of answers) expect([200, 204, 400, 404, 409]).toContain(status);
    }
  });
});
