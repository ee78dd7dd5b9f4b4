import { randomUUID } from 'node:crypto';
import { Failure } from '../failure.ts';
import {
  ApiRoleGroups,
  ApiRoleUsers,
  AssignGroupApiRole,
  AssignUserApiRole,
  RemoveGroupApiRole,
  RemoveUserApiRole,
} from '../graph/generated/apis.ts';
import { type Graph, made } from '../graph/graph.ts';
import { shown, table } from '../output/text.ts';
import {
  apiNamed,
  changed,
  descriptionIn,
  descriptionsOf,
  groupNamed,
  inputOf,
  requireRole,
  rowsOf,
} from './apis.ts';
import type { Context } from './context.ts';
import type { Arguments, GroupDefinition } from './definition.ts';
import { userNamed } from './users.ts';

async function list(context: Context, given: Arguments): Promise<void> {
  const { roles } = await apiNamed(context, await context.graph(), given.at(0));
  context.terminal.result(roles, () => table(['role', 'language', 'description'], rowsOf(roles)));
}

async function collected<Node>(context: Context, nodes: AsyncGenerator<Node>): Promise<Node[]> {
  const all: Node[] = [];
  for await (const node of nodes) {
    all.push(node);
    context.mayGoOn();
  }
  return all;
}

async function holders(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const api = await apiNamed(context, graph, given.at(0));
  const role = given.at(1);
  requireRole(api, role);
  const filter = { apiId: api.id, role };
  const users = await collected(
    context,
    graph.all(ApiRoleUsers, { filter }, ({ apiRoleHolders }) => apiRoleHolders),
  );
  const groups = await collected(
    context,
    graph.all(ApiRoleGroups, { filter }, ({ groupsWithApiRole }) => groupsWithApiRole),
  );
  context.terminal.result({ users, groups }, () =>
    table(
      ['holder', 'id', 'name', 'active'],
      [
        ...groups.map(({ id, displayName }) => ['group', id, displayName, null]),
        ...users.map(({ id, userName, active }) => ['user', id, userName, active]),
      ],
    ),
  );
}

async function create(context: Context, given: Arguments): Promise<void> {
  const role = given.at(1);
  const descriptions = descriptionsOf(
    given.list('description').map((text) => descriptionIn('--description', text)),
  );
  const graph = await context.graph();
  const api = await apiNamed(context, graph, given.at(0));
  if (api.roles.some(({ name }) => name === role))
    throw new Failure(
      'conflict',
      `${api.name} has a role ${role} already.`,
      'ostiary api update <api> --role changes its descriptions.',
    );
  await changed(graph, api, { roles: inputOf([...api.roles, { name: role, descriptions }]) });
  context.terminal.result({ api: api.identifier, role, descriptions }, () => [
    `${shown(api.name)} has the role ${shown(role)}.`,
  ]);
}

async function remove(context: Context, given: Arguments): Promise<void> {
  const role = given.at(1);
  const graph = await context.graph();
  const api = await apiNamed(context, graph, given.at(0));
  requireRole(api, role);
  await context.terminal.confirm(
    `Delete the role ${role} of ${api.name}, and remove it from users and groups? Access tokens of the clients of the API are revoked.`,
  );
  await changed(graph, api, { roles: inputOf(api.roles.filter(({ name }) => name !== role)) });
  context.terminal.result({ api: api.identifier, role, deleted: true }, () => [
    `The role ${shown(role)} of ${shown(api.name)} is deleted.`,
  ]);
}

type Holder = { user: { id: string; userName: string } } | { group: { id: string; displayName: string } };

const nameOf = (holder: Holder): string =>
  'user' in holder ? holder.user.userName : `the group ${holder.group.displayName}`;

/** @throws Failure usage unless exactly one of --user and --group is given */
function oneHolder(given: Arguments): { user: string } | { group: string } {
  const [user, group] = [given.text('user'), given.text('group')];
  if (user !== undefined && group === undefined) return { user };
  if (group !== undefined && user === undefined) return { group };
  throw new Failure('usage', 'Exactly one of --user and --group is required.');
}

async function holderOf(graph: Graph, named: ReturnType<typeof oneHolder>): Promise<Holder> {
  if ('group' in named) return { group: await groupNamed(graph, named.group) };
  const { id, userName } = await userNamed(graph, named.user);
  return { user: { id, userName } };
}

async function assign(context: Context, given: Arguments): Promise<void> {
  const named = oneHolder(given);
  const managedBySources = given.flag('managedBySources');
  if (managedBySources && 'user' in named)
    throw new Failure('usage', '--managed-by-sources requires --group.');
  const graph = await context.graph();
  const api = await apiNamed(context, graph, given.at(0));
  const role = given.at(1);
  requireRole(api, role);
  const holder = await holderOf(graph, named);
  const input = { apiId: api.id, role, idempotencyKey: randomUUID() };
  if ('user' in holder)
    made((await graph.ask(AssignUserApiRole, { input: { ...input, userId: holder.user.id } })).assignApiRole);
  else {
    const ofGroup = { ...input, groupId: holder.group.id, managedBySources };
    made((await graph.ask(AssignGroupApiRole, { input: ofGroup })).assignGroupApiRole);
  }
  context.terminal.result({ api: api.identifier, role, ...holder, assigned: true }, () => [
    `The role ${shown(role)} of ${shown(api.name)} is assigned to ${shown(nameOf(holder))}.`,
  ]);
}

async function unassign(context: Context, given: Arguments): Promise<void> {
  const named = oneHolder(given);
  const graph = await context.graph();
  const api = await apiNamed(context, graph, given.at(0));
  const role = given.at(1);
  requireRole(api, role);
  const holder = await holderOf(graph, named);
  await context.terminal.confirm(
    `Remove the role ${role} of ${api.name} from ${nameOf(holder)}? Grants for the API that depend on it are revoked.`,
  );
  const input = { apiId: api.id, role, idempotencyKey: randomUUID() };
  if ('user' in holder)
    made((await graph.ask(RemoveUserApiRole, { input: { ...input, userId: holder.user.id } })).removeApiRole);
  else {
    const ofGroup = { ...input, groupId: holder.group.id };
    made((await graph.ask(RemoveGroupApiRole, { input: ofGroup })).removeGroupApiRole);
  }
  context.terminal.result({ api: api.identifier, role, ...holder, assigned: false }, () => [
    `The role ${shown(role)} of ${shown(api.name)} is removed from ${shown(nameOf(holder))}.`,
  ]);
}

const holderOptions = [
  { flags: '--user <user>', description: 'user name, email address or id' },
  { flags: '--group <group>', description: 'name or id of a group' },
];

export const apiRoleCommands: GroupDefinition = {
  name: 'roles',
  summary: 'Manages roles of an API and their assignment to users and groups.',
  commands: [
    {
      usage: 'list <api>',
      summary: 'Lists the roles of an API.',
      examples: ['ostiary api roles list https://orders.example'],
      run: list,
    },
    {
      usage: 'holders <api> <role>',
      summary:
        'Lists the groups with a role of an API, and the users who have it directly or through groups.',
      examples: ['ostiary api roles holders https://orders.example approver'],
      run: holders,
    },
    {
      usage: 'create <api> <role>',
      summary: 'Adds a role to an API.',
      details:
        'A description that begins with a bracket needs a language tag, as in "[en] [Beta] Approves orders".',
      options: [
        {
          flags: '--description <text>',
          description: 'description for administrators, optionally after a language tag',
          many: true,
        },
      ],
      examples: [
        'ostiary api roles create https://orders.example approver --description "Approves orders" --description "[de] Genehmigt Bestellungen"',
      ],
      run: create,
    },
    {
      usage: 'delete <api> <role>',
      summary: 'Deletes a role of an API, and removes it from users and groups.',
      examples: ['ostiary api roles delete https://orders.example approver'],
      run: remove,
    },
    {
      usage: 'assign <api> <role>',
      summary: 'Assigns a role of an API to a user, or to all present and future members of a group.',
      options: [
        ...holderOptions,
        {
          flags: '--managed-by-sources',
          description: 'identity sources can add members to the group and thereby assign the role',
        },
      ],
      examples: [
        'ostiary api roles assign https://orders.example approver --user alice',
        'ostiary api roles assign https://orders.example approver --group Buyers --managed-by-sources',
      ],
      run: assign,
    },
    {
      usage: 'unassign <api> <role>',
      summary: 'Removes a role of an API from a user or a group, and revokes grants that depend on it.',
      options: holderOptions,
      examples: ['ostiary api roles unassign https://orders.example approver --user alice'],
      run: unassign,
    },
  ],
};
