import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import * as client from 'openid-client';
import { runningDemo } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { listen } from '../support/live.ts';
import { RoleStory } from '../support/roles.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
let scim: ScimClient;
let story: RoleStory;

beforeAll(async () => {
  scim = new ScimClient(tenant, tenant.clients.scim.token);
  story = await RoleStory.begin(demo, tenant);
});

const sessions = '{ sessions(first: 1) { totalCount } }';
const statusOf = async (token: string) => (await graph(demo, token, sessions)).status;

const shownRoles = `query ($user: ID!, $group: ID!) {
  user(id: $user) { roles roleSources { role direct groups { id displayName roleGrants { role managedBySources } } } }
  group(id: $group) { roles } }`;
const revokeAll = 'mutation ($id: ID!) { revokeAllSessions(input: { userId: $id }) { user { id } } }';

describe('a role of a group', () => {
  test('A group role applies through nested groups and ends over SCIM in a second: graph, refresh, subscription, session.', async () => {
    const { inner, outer } = await story.nestedGroups();
    expect(await story.give(outer)).toEqual([]);
    const person = await story.employ();
    expect(await story.add(inner, person.id)).toEqual([]);
    const helpDesk = await story.signInWithRole(person);
    const token = helpDesk.tokens.access_token;
    expect((await graph(demo, token, sessions)).errors).toEqual([]);
    const other = await story.employ();
    // The authorization server rejects the request until the event about the user arrives.
    await eventually(
      () => graph(demo, token, revokeAll, { id: other.id }),
      ({ errors }) => errors.length === 0,
    );
    const shown = await graph(demo, story.admin, shownRoles, { user: person.id, group: outer });
    expect(shown.errors).toEqual([]);
    expect(shown.data).toMatchObject({
      user: {
        roles: ['HELP_DESK'],
        roleSources: [
          {
            role: 'HELP_DESK',
            direct: false,
            groups: [{ id: outer, roleGrants: [{ role: 'HELP_DESK', managedBySources: false }] }],
          },
        ],
      },
      group: { roles: ['HELP_DESK'] },
    });

    const subscriber = await listen(demo.graphql, token, {
      query: 'subscription { userChanged { userId } }',
    });
    const answer = await scim.patch(`/Groups/${inner}`, [
      { op: 'remove', path: `members[value eq "${person.id}"]` },
    ]);
    expect([200, 204]).toContain(answer.status);
    await eventually(
      () => statusOf(token),
      (status) => status === 401,
    );
    await subscriber.ended;
    await expect(
      client.refreshTokenGrant(helpDesk.config, helpDesk.tokens.refresh_token ?? ''),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await helpDesk.browser.open(new URL(`${tenant.issuer}/account`))).root.text).not.toContain(
      person.user.userName,
    );
  });

  test.each([
    [
      'a PUT without them',
      (group: string, _id: string) => scim.call('PUT', `/Groups/${group}`, story.group([])),
    ],
    [
      'a Bulk that takes the group out of the one with the role',
      (group: string, _id: string, outer: string) =>
        scim.call('POST', '/Bulk', {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
          Operations: [
            {
              method: 'PATCH',
              path: `/Groups/${outer}`,
              data: {
                schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
                Operations: [{ op: 'remove', path: `members[value eq "${group}"]` }],
              },
            },
          ],
        }),
    ],
    ['the deletion of the group', (group: string) => scim.call('DELETE', `/Groups/${group}`)],
    [
      'removeGroupMembers in the graph',
      (groupId: string, id: string) =>
        graph(
          demo,
          story.admin,
          'mutation ($input: GroupMembersInput!) { removeGroupMembers(input: $input) { group { id } } }',
          { input: { groupId, memberIds: [id] } },
        ),
    ],
    ['removeGroupRole', (_group: string, _id: string, outer: string) => story.take(outer)],
  ])('The role of a group ends by %s.', async (_how, change) => {
    const { inner, outer } = await story.nestedGroups();
    const person = await story.employ();
    await story.add(inner, person.id);
    await story.give(outer);
    const token = (await story.signInWithRole(person)).tokens.access_token;
    expect(await statusOf(token)).toBe(200);
    await change(inner, person.id, outer);
    await eventually(
      () => statusOf(token),
      (status) => status === 401,
    );
  });
});

describe('an administrator who adds to a group gives its role', () => {
  const members = (...ids: string[]) => [
    { op: 'add', path: 'members', value: ids.map((value) => ({ value })) },
  ];

  test('An identity source adds no member to a group with a role, not even by a nested group, unless that is permitted.', async () => {
    const { inner, outer } = await story.nestedGroups();
    const person = await story.employ();
    await story.give(outer);
    for (const group of [inner, outer]) {
      const answer = await scim.patch(`/Groups/${group}`, members(person.id));
      expect(answer.status).toBe(403);
      expect(answer.body.detail).toContain('role');
    }
    await story.give(outer, { managedBySources: true });
    expect([200, 204]).toContain((await scim.patch(`/Groups/${inner}`, members(person.id))).status);
    const { tokens } = await story.signInWithRole(person);
    expect((await graph(demo, tokens.access_token, sessions)).errors).toEqual([]);
  });

  test('An app with group scopes alone adds no member in the graph or over SCIM; one that may give the role does.', async () => {
    const { outer } = await story.nestedGroups();
    const person = await story.employ();
    await story.give(outer);
    const weak = await adminToken(tenant, 'groups:read groups:write scim:read scim:write roles:write');
    expect(await story.add(outer, person.id, weak)).toEqual(['FORBIDDEN']);
    expect((await new ScimClient(tenant, weak).patch(`/Groups/${outer}`, members(person.id))).status).toBe(
      403,
    );
    const strong = new ScimClient(tenant, story.admin);
    expect([200, 204]).toContain((await strong.patch(`/Groups/${outer}`, members(person.id))).status);
  });

  test('The other tenant can neither give, take nor add to the role of a group, nor read it.', async () => {
    const { outer } = await story.nestedGroups();
    await story.give(outer);
    const theirs = await RoleStory.begin(demo, rival);
    expect(await theirs.give(outer)).toEqual(['NOT_FOUND']);
    expect(await theirs.take(outer)).toEqual(['NOT_FOUND']);
    expect(await theirs.add(outer, (await theirs.employ()).id)).toEqual(['NOT_FOUND']);
    const seen = await graph(demo, theirs.admin, 'query ($id: ID!) { group(id: $id) { roles } }', {
      id: outer,
    });
    expect(seen.data.group).toBeNull();
  });

  test('After many concurrent additions and removals in two groups, exactly the members have the role.', async () => {
    const { inner, outer } = await story.nestedGroups();
    await story.give(outer, { managedBySources: true });
    const people = await Promise.all(Array.from({ length: 8 }, () => story.employ()));
    await Promise.all(
      people.flatMap(({ id }) =>
        Array.from({ length: 6 }, async () => {
          const group = Math.random() < 0.5 ? inner : outer;
          const add = Math.random() < 0.5;
          const answer = await scim.patch(
            `/Groups/${group}`,
            add ? members(id) : [{ op: 'remove', path: `members[value eq "${id}"]` }],
          );
          expect([200, 204, 400]).toContain(answer.status);
        }),
      ),
    );
    const state = () =>
      graph(
        demo,
        story.admin,
        `{ ${people.map(({ id }, i) => `p${i}: user(id: "${id}") { roles groups { id } }`).join(' ')} }`,
      );
    const agrees = ({ data }: Awaited<ReturnType<typeof state>>) =>
      Object.values<{ roles: string[]; groups: { id: string }[] }>(data).every(
        ({ roles, groups }) => groups.some(({ id }) => id === outer) === roles.includes('HELP_DESK'),
      );
    await eventually(state, agrees);
  });
});

test('A group that is deleted and restored no longer has a role.', async () => {
  const token = story.admin;
  const policy = (deletionPolicy: string) =>
    graph(
      demo,
      token,
      'mutation ($input: UpdateTenantInput!) { updateTenant(input: $input) { tenant { id } } }',
      {
        input: { deletionPolicy },
      },
    );
  await policy('SOFT');
  try {
    const { outer } = await story.nestedGroups();
    await story.give(outer);
    await scim.call('DELETE', `/Groups/${outer}`);
    const log = () =>
      graph(
        demo,
        token,
        'query ($id: ID!) { securityLog(first: 5, filter: { resourceId: $id }) { edges { node { action } } } }',
        { id: outer },
      );
    await eventually(log, ({ data }) => data.securityLog.edges[0]?.node.action === 'group.role_removed');
    const restored = await graph(
      demo,
      token,
      'mutation ($id: ID!) { restoreGroup(input: { id: $id }) { group { id roles } } }',
      { id: outer },
    );
    expect(restored.data.restoreGroup.group).toEqual({ id: outer, roles: [] });
  } finally {
    await policy('HARD');
  }
});
