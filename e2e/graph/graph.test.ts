import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { runningDemo, unique } from '../support/demo.ts';
import { execute, graph, meQuery, usersQuery } from '../support/graph.ts';
import { People, type PeopleQuery } from '../support/operations.ts';
import { groupSchema, ScimClient } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
let admin: string;

beforeAll(async () => {
  admin = await adminToken(tenant);
});

type Person = NonNullable<NonNullable<PeopleQuery['users']>['edges'][number]['node']>;

describe('the `People` query', () => {
  test('The `People` query is answered in one federated request from directory, auth and provisioning.', async () => {
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const userName = unique('judy');
    const externalId = unique('hr');
    const email = { value: `${userName}@example.com`, type: 'work', primary: true };
    const judy = await scim.createUser({ userName, externalId, displayName: 'Judy', emails: [email] });
    const displayName = unique('team');
    const members = [{ value: judy.id }];
    const group = await scim.call('POST', '/Groups', { schemas: [groupSchema], displayName, members });
    expect(group.status).toBe(201);
    const { subject } = await signIn(demo, tenant, tenant.users.alice);

    // The provisioning service receives users through events, after a moment.
    const nodes = await eventually(everybody, (all) => all.get(judy.id)?.provisioning?.length === 1);
    const session = { id: expect.any(String), createdAt: expect.any(String), lastSeenAt: expect.any(String) };
    expect(nodes.get(subject)).toMatchObject({ userName: tenant.users.alice.userName, active: true });
    expect(nodes.get(subject)?.sessions).toEqual(expect.arrayContaining([session]));
    expect(nodes.get(judy.id)).toEqual({
      id: judy.id,
      userName,
      displayName: 'Judy',
      active: true,
      emails: [email],
      groups: [{ id: group.body.id, displayName }],
      sessions: [],
      provisioning: [{ source: { name: 'scim' }, externalId, lastChangedAt: expect.any(String) }],
    });
  });

  /** Returns all users of the `People` query by id. */
  async function everybody(): Promise<Map<string, Person>> {
    const found = new Map<string, Person>();
    let after: string | null = null;
    do {
      const answer: PeopleQuery = await execute(demo, admin, People, { first: 100, after });
      const users: PeopleQuery['users'] = answer.users;
      if (!users) throw new Error('nobody is shown');
      const { totalCount, edges, pageInfo } = users;
      expect(totalCount).toBeGreaterThanOrEqual(4);
      for (const { node } of edges) if (node) found.set(node.id, node);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after);
    return found;
  }

  test('The `People` query returns the identity source of each user.', async () => {
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const externalId = unique('hr');
    const { id } = await scim.createUser({ userName: unique('kim'), externalId });
    const query = `query ($id: ID!) { user(id: $id) { provisioning { source { name } externalId lastChangedAt } } }`;
    // The provisioning service receives the event after a moment.
    const answer = await eventually(
      () => graph(demo, admin, query, { id }),
      ({ data }) => data?.user?.provisioning?.length > 0,
    );
    expect(answer.data.user.provisioning).toEqual([
      { source: { name: 'scim' }, externalId, lastChangedAt: expect.any(String) },
    ]);
  });

  test('The `People` query returns pages by the end cursor until no page is left.', async () => {
    const seen = new Set<string>();
    let after: string | null = null;
    do {
      const answer = await graph(
        demo,
        admin,
        'query ($after: String) { users(first: 2, after: $after) { pageInfo { hasNextPage endCursor } edges { node { id } } } }',
        { after },
      );
      expect(answer.errors).toEqual([]);
      for (const { node } of answer.data.users.edges) {
        expect(seen).not.toContain(node.id);
        seen.add(node.id);
      }
      after = answer.data.users.pageInfo.hasNextPage ? answer.data.users.pageInfo.endCursor : null;
    } while (after);
    expect(seen.size).toBeGreaterThanOrEqual(3);
  });
});

describe('authorization', () => {
  test('The field me is available to a user token without a further scope.', async () => {
    const { tokens, subject } = await signIn(demo, tenant, tenant.users.alice);
    const answer = await graph(demo, tokens.access_token, meQuery);
    expect(answer.errors).toEqual([]);
    expect(answer.data.me).toMatchObject({ id: subject, userName: tenant.users.alice.userName });
    expect(answer.data.me.sessions.length).toBeGreaterThan(0);
  });

  test('A request without a token is answered with UNAUTHENTICATED and a challenge.', async () => {
    const answer = await graph(demo, undefined, usersQuery, { first: 1 });
    expect(answer.errors[0]?.extensions?.code).toBe('UNAUTHENTICATED');
    expect(answer.data?.users ?? null).toBeNull();
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
  });

  test('A forged token is answered with 401 invalid_token.', async () => {
    const answer = await graph(demo, `${admin.slice(0, -6)}AAAAAA`, usersQuery, { first: 1 });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(answer.errors[0]?.extensions?.code).toBe('UNAUTHENTICATED');
  });

  test('A token without the scope is answered with FORBIDDEN per field.', async () => {
    const token = await adminToken(tenant, 'users:read');
    const answer = await graph(demo, token, usersQuery, { first: 1 });
    expect(answer.status).toBe(200);
    expect(answer.data.users.edges[0].node.userName).toBeDefined();
    expect(answer.data.users.edges[0].node.sessions).toBeNull();
    const forbidden = answer.errors.filter((error) => error.extensions?.code === 'FORBIDDEN');
    expect(forbidden.map((error) => error.path?.at(-1))).toContain('sessions');
    expect(forbidden.map((error) => error.path?.at(-1))).not.toContain('userName');
  });

  test('A user without a role can neither list users nor read the sessions of another user.', async () => {
    const { tokens } = await signIn(demo, tenant, tenant.users.bob);
    const list = await graph(demo, tokens.access_token, usersQuery, { first: 1 });
    expect(list.data?.users ?? null).toBeNull();
    expect(list.errors.map((error) => error.extensions?.code)).toContain('FORBIDDEN');
  });

  test('Errors never disclose internal details.', async () => {
    const answers = await Promise.all([
      graph(demo, admin, '{ users(first: 1) { nope } }'),
      graph(demo, admin, '{ user(id: "not-a-uuid") { id } }'),
      graph(demo, admin, `{ user(id: "' OR 1=1 --") { id } }`),
      graph(demo, admin, '{ users(first: 1, after: "forged") { totalCount } }'),
      graph(demo, admin, '{ users(first: -1) { totalCount } }'),
      graph(demo, admin, '{'),
    ]);
    for (const answer of answers) {
      const text = JSON.stringify({ data: answer.data, errors: answer.errors });
      expect(text).not.toMatch(/127\.0\.0\.1|localhost:\d+|ECONNREFUSED|SELECT|stack|node_modules/);
      expect(answer.status).toBeLessThan(500);
    }
  });
});

describe('several mutations in one request', () => {
  test('Several mutations run one after the other in document order, also across services.', async () => {
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const { id } = await scim.createUser({ userName: unique('nora') });
    const answer = await graph(
      demo,
      admin,
      `mutation ($id: ID!, $app: RegisterClientInput!) {
        first: updateUser(input: { id: $id, displayName: "one" }) { user { displayName version } }
        invited: inviteUser(input: { userId: $id }) { url }
        second: updateUser(input: { id: $id, displayName: "two" }) { user { displayName version } }
        app: registerClient(input: $app) { client { id } }
        third: updateUser(input: { id: $id, displayName: "three" }) { user { displayName version } }
      }`,
      { id, app: { name: unique('app'), grantTypes: ['client_credentials'], scopes: ['users:read'] } },
    );
    expect(answer.errors).toEqual([]);
    const { first, second, third } = answer.data;
    expect(Object.keys(answer.data)).toEqual(['first', 'invited', 'second', 'app', 'third']);
    expect([first, second, third].map(({ user }) => user.displayName)).toEqual(['one', 'two', 'three']);
    const versions = [first, second, third].map(({ user }) => user.version);
    expect(versions).toEqual([versions[0], versions[0] + 1, versions[0] + 2]);
  });

  test('Mutations after a failed one are executed, and only the failed one returns an error.', async () => {
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const { id } = await scim.createUser({ userName: unique('olga') });
    const answer = await graph(
      demo,
      admin,
      `mutation ($id: ID!) {
        missing: deleteUser(input: { id: "018f0000-0000-7000-8000-000000000000" }) { id }
        renamed: updateUser(input: { id: $id, displayName: "Olga" }) { user { displayName } }
      }`,
      { id },
    );
    expect(answer.errors).toEqual([
      expect.objectContaining({
        path: ['missing'],
        extensions: expect.objectContaining({ code: 'NOT_FOUND' }),
      }),
    ]);
    expect(answer.data.renamed.user.displayName).toBe('Olga');
  });
});
