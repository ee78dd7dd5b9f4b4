import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  acme,
  admin,
  ask,
  codes,
  group,
  harness,
  people,
  problems,
  rivalAdmin,
  setUpGraph,
  user,
} from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

describe('Users in the graph', () => {
  test('A user in the graph has all attributes that SCIM returns for the user.', async () => {
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
         employment { department managerId costCenter } groups { id displayName version }
         groupsConnection { edges { direct node { id displayName } } } } }`,
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
        { id: inner.id, displayName: 'Inner', version: 1 },
        { id: outer.id, displayName: 'Outer', version: 1 },
      ],
      groupsConnection: {
        edges: [
          { direct: true, node: { id: inner.id, displayName: 'Inner' } },
          { direct: false, node: { id: outer.id, displayName: 'Outer' } },
        ],
      },
    });
  });

  test('A user of another tenant, an unknown id and a malformed id all return null.', async () => {
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
  test('The me field returns the signed-in user with groups, and needs no scope.', async () => {
    const { id, userName } = await user();
    const { id: groupId } = await group([id], 'Mine');
    const token = harness.issuer.token(acme.tenant, { subject: id, scopes: ['openid'] });
    const { data, errors } = await ask('{ me { id userName version groups { id displayName } } }', {}, token);
    expect(errors).toBeUndefined();
    expect(data.me).toEqual({ id, userName, version: 1, groups: [{ id: groupId, displayName: 'Mine' }] });
  });

  test('The me field gives no access to other users or to the contents of groups.', async () => {
    const [{ id }, other] = [await user(), await user()];
    await group([id, other.id]);
    const token = harness.issuer.token(acme.tenant, { subject: id });
    const body = await ask(
      '{ me { groups { id displayName version members { edges { node { memberId } } } } } }',
      {},
      token,
    );
    expect(new Set(codes(body))).toEqual(new Set(['FORBIDDEN']));
    expect(body.data.me.groups).toBeNull();
    expect(codes(await ask(people, { first: 1 }, token))).toEqual(['FORBIDDEN']);
    expect(codes(await ask('query ($id: ID!) { user(id: $id) { id } }', { id: other.id }, token))).toEqual([
      'FORBIDDEN',
    ]);
  });

  test('The me field is rejected for a client, and is null for a user who no longer exists.', async () => {
    expect(codes(await ask('{ me { id } }'))).toEqual(['FORBIDDEN']);
    const token = harness.issuer.token(acme.tenant, { subject: randomUUID() });
    expect(await ask('{ me { id } }', {}, token)).toEqual({ data: { me: null } });
  });
});

describe('Authorization of the graph', () => {
  test('Access without a token is UNAUTHENTICATED, and without the scope FORBIDDEN, per field.', async () => {
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

  test('Access with an invalid token is rejected with 401.', async () => {
    expect((await harness.graph('{ tenant { id } }', {}, 'nonsense')).status).toBe(401);
    expect((await harness.graph('{ tenant { id } }', {}, harness.issuer.serviceToken('auth'))).status).toBe(
      401,
    );
  });

  test('A mutation needs a scope of its own, and has no effect without it.', async () => {
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

describe('Mutations of the graph', () => {
  const create = `mutation ($input: CreateUserInput!) { createUser(input: $input) {
    user { id userName displayName active version emails { value primary } externalIds { source value } }
    problems { code } } }`;

  test('Mutations create, change, deactivate, reactivate and delete a user, with events and an actor.', async () => {
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

  test('Mutations return codes for conflicts, unknown ids and invalid input.', async () => {
    const { id, userName } = await user();
    expect(problems(await ask(create, { input: { userName: userName.toUpperCase() } }))).toEqual([
      'NOT_UNIQUE',
    ]);
    expect(problems(await ask(create, { input: { userName: '' } }))).toEqual(['INVALID_INPUT']);
    expect(problems(await ask(create, { input: { userName: 'a\u0000' } }))).toEqual(['INVALID_INPUT']);
    const rename = (input: object, token?: string): Promise<Json> =>
      ask(
        'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { id } problems { code } } }',
        { input },
        token,
      );
    expect(problems(await rename({ id, version: 9, title: 'x' }))).toEqual(['VERSION_CONFLICT']);
    expect(problems(await rename({ id: randomUUID(), title: 'x' }))).toEqual(['NOT_FOUND']);
    expect(problems(await rename({ id: '42', title: 'x' }))).toEqual(['NOT_FOUND']);
    expect(problems(await rename({ id, title: 'x' }, rivalAdmin))).toEqual(['NOT_FOUND']);
    expect(problems(await rename({ id }))).toEqual(['INVALID_INPUT']);
    expect(problems(await rename({ id, userName: null }))).toEqual(['INVALID_INPUT']);
    const twoPrimary = ['a@x.io', 'b@x.io'].map((value) => ({ value, primary: true }));
    expect(problems(await rename({ id, emails: twoPrimary }))).toEqual(['INVALID_INPUT']);
  });

  test('Mutations create, change and delete groups, and move members.', async () => {
    const [a, b] = [await user(), await user()];
    const made = await ask(
      `mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id displayName members { totalCount } } } }`,
      { input: { displayName: 'Team', memberIds: [a.id] } },
    );
    expect(made.errors).toBeUndefined();
    const { id } = made.data.createGroup.group;
    const change = (mutation: string, memberIds: string[], token?: string): Promise<Json> =>
      ask(
        `mutation ($input: GroupMembersInput!) { ${mutation}(input: $input) { group { version members { totalCount edges { node { id: memberId } } } } problems { code } } }`,
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
    expect(problems(await change('addGroupMembers', [randomUUID()]))).toEqual(['INVALID_INPUT']);
    expect(problems(await change('addGroupMembers', [id]))).toEqual(['CONFLICT']);
    expect(problems(await change('addGroupMembers', [b.id], rivalAdmin))).toEqual(['NOT_FOUND']);
    expect(problems(await change('removeGroupMembers', [b.id], rivalAdmin))).toEqual(['NOT_FOUND']);
    const renamed = await ask(
      'mutation ($id: ID!) { updateGroup(input: { id: $id, displayName: "Crew", version: 3 }) { group { displayName version } } }',
      { id },
    );
    expect(renamed.data.updateGroup.group).toEqual({ displayName: 'Crew', version: 4 });
    const gone = await ask('mutation ($id: ID!) { deleteGroup(input: { id: $id }) { id } }', { id });
    expect(gone.data.deleteGroup).toEqual({ id });
  });

  test('Mutations run in the order in which they are written.', async () => {
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

describe('Tenant and audit log in the graph', () => {
  test('The tenant and the audit log that a caller reads belong to its own tenant.', async () => {
    const { data } = await ask('{ tenant { id name status createdAt } }');
    expect(data.tenant).toMatchObject({ id: acme.tenant, status: 'ACTIVE' });
    const { id } = await user({ displayName: 'Audited' });
    await acme.patch('Users', id, [{ op: 'replace', path: 'displayName', value: 'Changed' }]);
    const query = `query ($filter: AuditLogFilter, $after: String) { auditLog(first: 1, after: $after, filter: $filter) {
      totalCount pageInfo { hasNextPage endCursor }
      edges { node { action actor { kind id: actorId } resourceType resourceId resourceVersion
        changes { attribute before after } } } } }`;
    const first = (await ask(query, { filter: { resourceId: id } })).data.auditLog;
    expect(first.totalCount).toBe(2);
    expect(first.edges[0].node).toEqual({
      action: 'user.updated',
      actor: { kind: 'CONNECTOR', id: 'scim' },
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
    expect((await ask(query, { filter: { actorId: 'a\u0000' } })).data.auditLog.totalCount).toBe(0);
    expect(codes(await ask(query, { filter: { action: 'a\u0000' } }))).toEqual(['BAD_USER_INPUT']);
  });
});
