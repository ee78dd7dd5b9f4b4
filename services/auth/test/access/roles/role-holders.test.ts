import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { codesOf } from '../../support/sign-in/asking.ts';
import {
  all,
  asking,
  everything,
  give,
  holdings,
  service,
  setUpRoleGroups,
} from '../../support/sign-in/role-groups.ts';
import { rival, tenant } from '../../support/sign-in/service.ts';

setUpRoleGroups();

const holdersQuery = `query ($role: Role!, $first: Int, $after: String, $last: Int, $before: String) {
  roleHolders(filter: { role: $role }, first: $first, after: $after, last: $last, before: $before) {
    totalCount pageInfo { hasNextPage startCursor endCursor }
    edges { node { id roleSources { role direct groups { id } } } } } groupsWithRole(filter: { role: $role }, first: 100) { totalCount edges { node { id } } } }`;

type Node = { id: string; roleSources: { role: string; direct: boolean; groups: { id: string }[] }[] };
const ask = async (variables: object, as = all) => {
  const { data } = await asking.ask(holdersQuery, { role: 'AUDITOR', ...variables }, as);
  const { totalCount, pageInfo, edges } = data.roleHolders;
  const nodes = (edges as { node: Node }[]).map(({ node }) => node);
  const listed = data.groupsWithRole.edges as { node: { id: string } }[];
  const groups = listed.map(({ node }) => node.id);
  expect(data.groupsWithRole.totalCount).toBe(groups.length);
  return { totalCount, pageInfo, groups, nodes, ids: nodes.map(({ id }) => id) };
};

describe('users with a role', () => {
  let direct: string;
  let both: string;
  let nested: string;
  let groups: string[];

  beforeAll(async () => {
    [direct, both, nested] = (await Promise.all(
      ['direct', 'both', 'nested'].map(async (name) => (await service.person(name)).id),
    )) as [string, string, string];
    await service.person('without');
    for (const id of [direct, both]) await service.deps.subjects.assignRole(tenant, id, 'auditor');
    const inner = service.directory.groups.create(tenant, [nested, both]);
    groups = [
      service.directory.groups.create(tenant, [inner]),
      service.directory.groups.create(tenant, [both]),
    ];
    for (const group of groups) expect(await give(group, 'AUDITOR')).toBeUndefined();
    await eventually(
      async () => (await holdings(both)).length === 2 && (await holdings(nested)).length === 1,
    );
  });

  test('Each user with a role is listed once with its sources, after the assignment has left the security log.', async () => {
    await service.deps.database.sql.query('DELETE FROM auth.security_log WHERE tenant = $1', [tenant]);
    const { nodes, totalCount, groups: listed } = await ask({});
    const sources = new Map(
      nodes.map(({ id, roleSources: [source] }) => [
        id,
        [source?.direct, source?.groups.map((group) => group.id).toSorted()],
      ]),
    );
    expect(nodes).toHaveLength(3);
    expect(sources).toEqual(
      new Map([
        [direct, [true, []]],
        [both, [true, groups.toSorted()]],
        [nested, [false, [groups[0]]]],
      ]),
    );
    expect(totalCount).toBe(3);
    expect(listed).toEqual(groups.toSorted());
    expect(await ask({ role: 'HELP_DESK' })).toMatchObject({ ids: [], totalCount: 0, groups: [] });
  });

  test('The list of users with a role is read in pages forward and backward.', async () => {
    const { ids } = await ask({});
    const first = await ask({ first: 2 });
    expect(first.ids).toEqual(ids.slice(0, 2));
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = await ask({ first: 2, after: first.pageInfo.endCursor });
    expect(rest.ids).toEqual(ids.slice(2));
    expect(rest.pageInfo.hasNextPage).toBe(false);
    expect((await ask({ last: 2, before: rest.pageInfo.startCursor })).ids).toEqual(ids.slice(0, 2));
    const { errors } = await asking.ask(
      holdersQuery,
      { role: 'HELP_DESK', first: 2, after: first.pageInfo.endCursor },
      all,
    );
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
  });

  test('A user who leaves a group is no longer listed, and an inactive user with a role is.', async () => {
    const [leaving, inactive] = [await service.person('leaving'), await service.person('inactive')];
    const group = service.directory.groups.create(tenant, [leaving.id]);
    await give(group, 'AUDITOR');
    await service.deps.subjects.assignRole(tenant, inactive.id, 'auditor');
    await service.directory.change(tenant, inactive.id, 'user.deactivated');
    await eventually(async () => (await ask({})).ids.includes(leaving.id));
    await service.directory.groups.remove(group, leaving.id);
    await eventually(async () => !(await ask({})).ids.includes(leaving.id));
    expect((await ask({})).ids).toContain(inactive.id);
  });

  test('The users with a role are not visible to another tenant, nor without the scope.', async () => {
    const theirs = await asking.machine(everything.join(' '), rival);
    expect(await ask({}, theirs)).toMatchObject({ ids: [], totalCount: 0, groups: [] });
    const { pageInfo } = await ask({ first: 1 });
    expect((await ask({ after: pageInfo.endCursor }, theirs)).ids).toEqual([]);
    const without = await asking.machine(everything.filter((scope) => !scope.startsWith('roles:')).join(' '));
    expect(codesOf(await asking.ask(holdersQuery, { role: 'AUDITOR' }, without))).toEqual(
      expect.arrayContaining(['FORBIDDEN']),
    );
  });
});
