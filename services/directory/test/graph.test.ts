import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Harness,
  type Json,
  startDirectory,
  type TenantClient,
  tenantClient,
} from './support/harness.ts';

let harness: Harness;
let acme: TenantClient;
let rival: TenantClient;
let admin: string;
let rivalAdmin: string;

const everything = [
  'users:read',
  'users:write',
  'groups:read',
  'groups:write',
  'tenants:read',
  'audit:read',
] as const;

beforeAll(async () => {
  harness = await startDirectory();
  acme = tenantClient(harness, await harness.tenant());
  rival = tenantClient(harness, await harness.tenant());
  admin = harness.issuer.token(acme.tenant, { clientId: 'admin-app', scopes: everything });
  rivalAdmin = harness.issuer.token(rival.tenant, { clientId: 'rival-app', scopes: everything });
});
afterAll(() => harness.stop());

let counter = 0;
const user = async (resource: object = {}): Promise<Json> =>
  (await acme.create('Users', { userName: `graph${++counter}`, ...resource })).body;
const group = async (members: string[] = [], displayName = `group${++counter}`): Promise<Json> =>
  (await acme.create('Groups', { displayName, members: members.map((value) => ({ value })) })).body;
const ask = async (query: string, variables: object = {}, token: string | undefined = admin): Promise<Json> =>
  (await harness.graph(query, variables, token)).body;
const codes = (body: Json): string[] => (body.errors ?? []).map((error: Json) => error.extensions.code);

const people = `query People($first: Int!, $after: String, $filter: String) {
  users(first: $first, after: $after, filter: $filter) {
    totalCount
    pageInfo { hasNextPage endCursor }
    edges { node { id userName displayName active emails { value type primary } groups { id displayName } } } } }`;

describe('a user', () => {
  test('has everything that SCIM says about them', async () => {
    const { id, userName } = await user({
      schemas: [
        'urn:ietf:params:scim:schemas:core:2.0:User',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      ],
      displayName: 'Ada',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
      locale: 'en-GB',
      externalId: 'x1',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': {
        department: 'R&D',
        manager: { value: 'm1' },
      },
    });
    const inner = await group([id], 'Inner');
    const outer = await group([inner.id], 'Outer');
    const { data } = await ask(
      `query ($id: ID!) { user(id: $id) { id userName displayName active version createdAt updatedAt locale
         name { givenName familyName formatted } emails { value type primary } externalIds { source value }
         employment { department managerId costCenter } groups { id displayName direct group { displayName } } } }`,
      { id },
    );
    expect(data.user).toEqual({
      id,
      userName,
      displayName: 'Ada',
      active: true,
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      locale: 'en-GB',
      name: { givenName: 'Ada', familyName: 'Lovelace', formatted: null },
      emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
      externalIds: [{ source: 'direct', value: 'x1' }],
      employment: { department: 'R&D', managerId: 'm1', costCenter: null },
      groups: [
        { id: inner.id, displayName: 'Inner', direct: true, group: { displayName: 'Inner' } },
        { id: outer.id, displayName: 'Outer', direct: false, group: { displayName: 'Outer' } },
      ],
    });
  });

  test('of another tenant, unknown or malformed is null, all alike', async () => {
    const { id } = await user();
    const query = 'query ($id: ID!) { user(id: $id) { id } group(id: $id) { id } }';
    for (const [variables, token] of [
      [{ id }, rivalAdmin],
      [{ id: randomUUID() }, admin],
      [{ id: '42' }, admin],
      [{ id: "' OR 1=1" }, admin],
    ] as [object, string][]) {
      expect(await ask(query, variables, token)).toEqual({ data: { user: null, group: null } });
    }
  });
});

describe('me', () => {
  test('is the person, with groups, for whom no scope is needed', async () => {
    const { id, userName } = await user();
    const { id: groupId } = await group([id], 'Mine');
    const token = harness.issuer.token(acme.tenant, { subject: id, scopes: ['openid'] });
    const { data, errors } = await ask('{ me { id userName version groups { id displayName } } }', {}, token);
    expect(errors).toBeUndefined();
    expect(data.me).toEqual({ id, userName, version: 1, groups: [{ id: groupId, displayName: 'Mine' }] });
  });

  test('opens no way to other people or into groups', async () => {
    const [{ id }, other] = [await user(), await user()];
    await group([id, other.id]);
    const token = harness.issuer.token(acme.tenant, { subject: id });
    const body = await ask('{ me { groups { id group { members { edges { node { id } } } } } } }', {}, token);
    expect(codes(body)).toEqual(['FORBIDDEN']);
    expect(body.data.me.groups[0].group).toBeNull();
    expect(codes(await ask(people, { first: 1 }, token))).toEqual(['FORBIDDEN']);
    expect(codes(await ask('query ($id: ID!) { user(id: $id) { id } }', { id: other.id }, token))).toEqual([
      'FORBIDDEN',
    ]);
  });

  test('is refused to an app, and null for somebody who is gone', async () => {
    expect(codes(await ask('{ me { id } }'))).toEqual(['FORBIDDEN']);
    const token = harness.issuer.token(acme.tenant, { subject: randomUUID() });
    expect(await ask('{ me { id } }', {}, token)).toEqual({ data: { me: null } });
  });
});

describe('access', () => {
  test('without a token is UNAUTHENTICATED, without the scope FORBIDDEN, per field', async () => {
    const anonymous = (await harness.graph('{ users { totalCount } tenant { id } }')).body;
    expect(codes(anonymous)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    const reader = harness.issuer.token(acme.tenant, { scopes: ['users:read'] });
    const body = await ask(
      '{ users(first: 1) { totalCount } tenant { id } auditLog { totalCount } }',
      {},
      reader,
    );
    expect(body.data.users.totalCount).toBeGreaterThan(0);
    expect(body.data.tenant).toBeNull();
    expect(body.errors.map((error: Json) => [error.path[0], error.extensions.code])).toEqual([
      ['tenant', 'FORBIDDEN'],
      ['auditLog', 'FORBIDDEN'],
    ]);
  });

  test('with a bad token is 401', async () => {
    expect((await harness.graph('{ tenant { id } }', {}, 'nonsense')).status).toBe(401);
    expect((await harness.graph('{ tenant { id } }', {}, harness.issuer.serviceToken('auth'))).status).toBe(
      401,
    );
  });

  test('to a mutation needs its own scope, and nothing happens without', async () => {
    const reader = harness.issuer.token(acme.tenant, { scopes: ['users:read', 'groups:read'] });
    const { id } = await user();
    const body = await ask(
      'mutation ($id: ID!) { deactivateUser(input: { id: $id }) { user { id } } deleteUser(input: { id: $id }) { id } }',
      { id },
      reader,
    );
    expect(codes(body)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
    expect((await acme.read('Users', id)).body).toMatchObject({ active: true, meta: { version: 'W/"1"' } });
  });
});

describe('a connection', () => {
  test('walks through everybody, forward, without gap or repetition', async () => {
    const names = await Promise.all(
      Array.from({ length: 25 }, async () => (await user({ title: 'walker' })).userName),
    );
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { data } = await ask(people, { first: 10, after, filter: 'title eq "walker"' });
      expect(data.users.totalCount).toBe(25);
      seen.push(...data.users.edges.map((edge: Json) => edge.node.userName));
      after = data.users.pageInfo.hasNextPage ? data.users.pageInfo.endCursor : null;
    } while (after);
    expect(seen).toHaveLength(25);
    expect([...seen].sort()).toEqual([...names].sort());
  });

  test('misses none that stays while others come and go', async () => {
    const stays = await Promise.all(
      Array.from({ length: 30 }, async () => (await user({ title: 'stays' })).id),
    );
    const goes = await Promise.all(
      Array.from({ length: 30 }, async () => (await user({ title: 'stays' })).id),
    );
    const seen = new Set<string>();
    let after: string | null = null;
    do {
      const { data } = await ask(people, { first: 7, after, filter: 'title eq "stays"' });
      for (const edge of data.users.edges) seen.add(edge.node.id);
      after = data.users.pageInfo.hasNextPage ? data.users.pageInfo.endCursor : null;
      await Promise.all([
        ...goes.splice(0, 5).map((id) => acme.remove('Users', id)),
        user({ title: 'stays' }),
      ]);
    } while (after);
    for (const id of stays) expect(seen.has(id)).toBe(true);
  });

  test.each([
    ['nonsense', 'x'],
    ['of another list', Buffer.from(JSON.stringify(['groups', randomUUID()])).toString('base64url')],
    ['with SQL in it', Buffer.from(JSON.stringify(['users', "' OR 1=1 --"])).toString('base64url')],
    ['with another type in it', Buffer.from(JSON.stringify(['users', { $gt: '' }])).toString('base64url')],
    ['that is empty', ''],
  ])('refuses a cursor %s', async (_, after) => {
    expect(codes(await ask(people, { first: 1, after }))).toEqual(['BAD_USER_INPUT']);
  });

  test.each([0, -1, 101, 2_000_000_000])('refuses first: %d', async (first) => {
    expect(codes(await ask(people, { first }))).toEqual(['BAD_USER_INPUT']);
  });

  test('says what is wrong with a filter', async () => {
    const body = await ask(people, { first: 1, filter: 'nonsense eq "x"' });
    expect(codes(body)).toEqual(['BAD_USER_INPUT']);
    expect(body.errors[0].message).toContain('nonsense');
  });

  test('of the members of many groups is read at once, each group with its own', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, async () => (await user()).id));
    const groups = await Promise.all(
      [people.slice(0, 3), people.slice(2), []].map(async (members) => ({
        id: (await group(members)).id,
        members: [...members].sort().slice(0, 2),
      })),
    );
    const query = `{ ${groups
      .map(({ id }, index) => `g${index}: group(id: "${id}") { members(first: 2) { edges { node { id } } } }`)
      .join(' ')} }`;
    harness.statements();
    const { data } = await ask(query);
    // The groups, and their members.
    expect(harness.statements()).toHaveLength(2);
    groups.forEach(({ members }, index) => {
      expect(data[`g${index}`].members.edges.map((edge: Json) => edge.node.id)).toEqual(members);
    });
  });

  test('within pages within pages is refused: a hundred characters must not ask for a million rows', async () => {
    const members = (inner: string): string =>
      `members(first: 100) { edges { node { user { groups { group { ${inner} } } } } } }`;
    const started = performance.now();
    const body = await ask(`{ groups(first: 100) { edges { node { ${members(members('id'))} } } } }`);
    expect(codes(body)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test('of groups and of their members works the same', async () => {
    const members = await Promise.all(Array.from({ length: 5 }, async () => (await user()).id));
    const inner = await group([], 'Inside');
    const { id } = await group([...members, inner.id], 'Paged');
    const query = `query ($id: ID!, $after: String) { group(id: $id) { displayName version members(first: 4, after: $after) {
      totalCount pageInfo { hasNextPage endCursor }
      edges { node { id type displayName user { userName } group { displayName } } } } } }`;
    const first = (await ask(query, { id })).data.group;
    expect(first).toMatchObject({
      displayName: 'Paged',
      members: { totalCount: 6, pageInfo: { hasNextPage: true } },
    });
    const second = (await ask(query, { id, after: first.members.pageInfo.endCursor })).data.group;
    const nodes = [...first.members.edges, ...second.members.edges].map((edge: Json) => edge.node);
    expect(nodes.map((node) => node.id).sort()).toEqual([...members, inner.id].sort());
    expect(nodes.find((node) => node.type === 'GROUP')).toMatchObject({
      id: inner.id,
      user: null,
      group: { displayName: 'Inside' },
    });
    const { data } = await ask(
      '{ groups(filter: "displayName eq \\"paged\\"") { totalCount edges { node { id } } } }',
    );
    expect(data.groups).toEqual({ totalCount: 1, edges: [{ node: { id } }] });
  });

  test('costs a constant number of statements', async () => {
    const ids = await Promise.all(
      Array.from({ length: 100 }, async () => (await user({ title: 'many' })).id),
    );
    await group(ids);
    await group(ids.slice(0, 50));
    const count = async (first: number, query = people): Promise<number> => {
      harness.statements();
      const { data } = await ask(query, { first, filter: 'title eq "many"' });
      expect(data.users.edges).toHaveLength(first);
      return harness.statements().length;
    };
    // A title that many have: its index is tried and then left alone, for the rows and for the total.
    expect(await count(1)).toBe(5);
    expect(await count(100)).toBe(5);
    expect(await count(100, people.replace('totalCount', ''))).toBe(3);
  });
});

describe('entities', () => {
  const entities = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
    ... on User { id userName groups { displayName } } ... on Group { id displayName } ... on Tenant { id name } } }`;
  const representations = (typename: string, ids: string[]) => ({
    representations: ids.map((id) => ({ __typename: typename, id })),
  });

  test('a hundred users are one statement, and their groups another', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, async () => (await user()).id));
    await group(ids);
    harness.statements();
    const { data } = await ask(entities, representations('User', ids));
    expect(data._entities.map((entity: Json) => entity.id)).toEqual(ids);
    expect(harness.statements()).toHaveLength(2);
  });

  test('of another tenant, unknown or malformed are null', async () => {
    const [{ id }, { id: groupId }] = [await user(), await group()];
    for (const [variables, token] of [
      [representations('User', [id]), rivalAdmin],
      [representations('Group', [groupId]), rivalAdmin],
      [representations('User', [randomUUID()]), admin],
      [representations('User', ['42']), admin],
      [representations('Tenant', [rival.tenant]), admin],
    ] as [object, string][]) {
      expect((await ask(entities, variables, token)).data._entities).toEqual([null]);
    }
    const { data } = await ask(entities, representations('Tenant', [acme.tenant]));
    expect(data._entities[0].id).toBe(acme.tenant);
  });

  test('are no way around a missing scope', async () => {
    const { id } = await user();
    const other = harness.issuer.token(acme.tenant, { subject: (await user()).id });
    const body = await ask(entities, representations('User', [id]), other);
    expect(new Set(codes(body))).toEqual(new Set(['FORBIDDEN']));
    expect(JSON.stringify(body)).not.toContain('graph1');
  });
});

describe('mutations', () => {
  const create = `mutation ($input: CreateUserInput!) { createUser(input: $input) {
    user { id userName displayName active version emails { value primary } externalIds { source value } } } }`;

  test('create, change, deactivate, reactivate and delete a user, with events and an actor', async () => {
    const made = await ask(create, {
      input: {
        userName: 'made-here',
        displayName: 'Made',
        emails: [{ value: 'm@example.com', primary: true }],
        name: { givenName: 'M', familyName: null },
        externalId: 'e',
      },
    });
    expect(made.errors).toBeUndefined();
    const { id } = made.data.createUser.user;
    expect(made.data.createUser.user).toEqual({
      id,
      userName: 'made-here',
      displayName: 'Made',
      active: true,
      version: 1,
      emails: [{ value: 'm@example.com', primary: true }],
      externalIds: [{ source: 'direct', value: 'e' }],
    });
    const updated = await ask(
      `mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { displayName title version } } }`,
      { input: { id, version: 1, displayName: null, title: 'Dr' } },
    );
    expect(updated.data.updateUser.user).toEqual({ displayName: null, title: 'Dr', version: 2 });
    const flip = async (mutation: string): Promise<Json> =>
      (
        await ask(`mutation ($id: ID!) { ${mutation}(input: { id: $id }) { user { active version } } }`, {
          id,
        })
      ).data[mutation].user;
    expect(await flip('deactivateUser')).toEqual({ active: false, version: 3 });
    expect(await flip('deactivateUser')).toEqual({ active: false, version: 3 });
    expect(await flip('reactivateUser')).toEqual({ active: true, version: 4 });
    const gone = await ask('mutation ($id: ID!) { deleteUser(input: { id: $id, version: 4 }) { id } }', {
      id,
    });
    expect(gone.data.deleteUser).toEqual({ id });
    const events = await harness.sql(
      'SELECT type, actor FROM directory.outbox_events WHERE subject = $1 ORDER BY position',
      [id],
    );
    expect(events.map((event) => event.type)).toEqual([
      'user.created',
      'user.updated',
      'user.deactivated',
      'user.reactivated',
      'user.deleted',
    ]);
    expect(events[0].actor).toEqual({ kind: 'client', id: 'admin-app' });
  });

  test('answer conflicts, unknown ids and bad input with their codes', async () => {
    const { id, userName } = await user();
    expect(codes(await ask(create, { input: { userName: userName.toUpperCase() } }))).toEqual(['CONFLICT']);
    expect(codes(await ask(create, { input: { userName: '' } }))).toEqual(['BAD_USER_INPUT']);
    expect(codes(await ask(create, { input: { userName: 'a\u0000' } }))).toEqual(['BAD_USER_INPUT']);
    const rename = (input: object, token?: string): Promise<Json> =>
      ask(
        'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { id } } }',
        { input },
        token,
      );
    expect(codes(await rename({ id, version: 9, title: 'x' }))).toEqual(['CONFLICT']);
    expect(codes(await rename({ id: randomUUID(), title: 'x' }))).toEqual(['NOT_FOUND']);
    expect(codes(await rename({ id: '42', title: 'x' }))).toEqual(['NOT_FOUND']);
    expect(codes(await rename({ id, title: 'x' }, rivalAdmin))).toEqual(['NOT_FOUND']);
    expect(codes(await rename({ id }))).toEqual(['BAD_USER_INPUT']);
    expect(codes(await rename({ id, userName: null }))).toEqual(['BAD_USER_INPUT']);
    const twoPrimary = ['a@x.io', 'b@x.io'].map((value) => ({ value, primary: true }));
    expect(codes(await rename({ id, emails: twoPrimary }))).toEqual(['BAD_USER_INPUT']);
  });

  test('create, change and delete groups, and move members', async () => {
    const [a, b] = [await user(), await user()];
    const made = await ask(
      `mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id displayName members { totalCount } } } }`,
      { input: { displayName: 'Team', memberIds: [a.id] } },
    );
    expect(made.errors).toBeUndefined();
    const { id } = made.data.createGroup.group;
    const change = (mutation: string, memberIds: string[], token?: string): Promise<Json> =>
      ask(
        `mutation ($input: GroupMembersInput!) { ${mutation}(input: $input) { group { version members { totalCount edges { node { id } } } } } }`,
        { input: { groupId: id, memberIds } },
        token,
      );
    const added = await change('addGroupMembers', [b.id]);
    expect(added.data.addGroupMembers.group).toMatchObject({ version: 2, members: { totalCount: 2 } });
    const removed = await change('removeGroupMembers', [a.id, randomUUID()]);
    expect(removed.data.removeGroupMembers.group.members).toEqual({
      totalCount: 1,
      edges: [{ node: { id: b.id } }],
    });
    expect(codes(await change('addGroupMembers', [randomUUID()]))).toEqual(['BAD_USER_INPUT']);
    expect(codes(await change('addGroupMembers', [id]))).toEqual(['BAD_USER_INPUT']);
    expect(codes(await change('addGroupMembers', [b.id], rivalAdmin))).toEqual(['NOT_FOUND']);
    expect(codes(await change('removeGroupMembers', [b.id], rivalAdmin))).toEqual(['NOT_FOUND']);
    const renamed = await ask(
      'mutation ($id: ID!) { updateGroup(input: { id: $id, displayName: "Crew", version: 3 }) { group { displayName version } } }',
      { id },
    );
    expect(renamed.data.updateGroup.group).toEqual({ displayName: 'Crew', version: 4 });
    const gone = await ask('mutation ($id: ID!) { deleteGroup(input: { id: $id }) { id } }', { id });
    expect(gone.data.deleteGroup).toEqual({ id });
  });

  test('run in the order they are written', async () => {
    const { id } = await user();
    const { data } = await ask(
      `mutation ($id: ID!) {
        a: updateUser(input: { id: $id, version: 1, title: "1" }) { user { version } }
        b: updateUser(input: { id: $id, version: 2, title: "2" }) { user { version title } } }`,
      { id },
    );
    expect(data).toEqual({ a: { user: { version: 2 } }, b: { user: { version: 3, title: '2' } } });
  });
});

describe('the tenant and its audit log', () => {
  test('are the caller’s own', async () => {
    const { data } = await ask('{ tenant { id name status createdAt } }');
    expect(data.tenant).toMatchObject({ id: acme.tenant, status: 'ACTIVE' });
    const { id } = await user({ displayName: 'Audited' });
    await acme.patch('Users', id, [{ op: 'replace', path: 'displayName', value: 'Changed' }]);
    const query = `query ($filter: AuditLogFilter, $after: String) { auditLog(first: 1, after: $after, filter: $filter) {
      totalCount pageInfo { hasNextPage endCursor }
      edges { node { action actor { kind id } resourceType resourceId resourceVersion
        changes { attribute before after } } } } }`;
    const first = (await ask(query, { filter: { resourceId: id } })).data.auditLog;
    expect(first.totalCount).toBe(2);
    expect(first.edges[0].node).toEqual({
      action: 'user.updated',
      actor: { kind: 'connector', id: 'scim' },
      resourceType: 'User',
      resourceId: id,
      resourceVersion: 2,
      changes: [{ attribute: 'displayName', before: '"Audited"', after: '"Changed"' }],
    });
    const second = (await ask(query, { filter: { resourceId: id }, after: first.pageInfo.endCursor })).data
      .auditLog;
    expect(second.edges[0].node.action).toBe('user.created');
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect((await ask(query, { filter: { resourceId: id } }, rivalAdmin)).data.auditLog.totalCount).toBe(0);
    const since = { since: '2100-01-01T00:00:00Z', action: 'user.created', actorId: 'scim' };
    expect((await ask(query, { filter: since })).data.auditLog.totalCount).toBe(0);
    expect(codes(await ask(query, { filter: { since: 'yesterday' } }))).toEqual(['BAD_USER_INPUT']);
    expect(codes(await ask(query, { filter: { actorId: 'a\u0000' } }))).toEqual(['BAD_USER_INPUT']);
  });
});
