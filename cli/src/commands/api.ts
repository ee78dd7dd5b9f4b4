import { randomUUID } from 'node:crypto';
import type { Described } from '../configuration/document.ts';
import { Failure } from '../failure.ts';
import { CreateApi, DeleteApi } from '../graph/generated/apis.ts';
import { made } from '../graph/graph.ts';
import { listing, shown, table } from '../output/text.ts';
import { apiRoleCommands } from './api-roles.ts';
import { allApis, apiNamed, changed, describedIn, descriptionsOf, inputOf, rowsOf } from './apis.ts';
import type { Context } from './context.ts';
import type { Arguments, GroupDefinition, OptionDefinition } from './definition.ts';
import { wholeNumber } from './values.ts';

const namesOf = (named: readonly { name: string }[]): string[] => named.map(({ name }) => name);

async function list(context: Context): Promise<void> {
  const found = await allApis(context, await context.graph());
  context.terminal.result(found, () =>
    table(
      ['id', 'identifier', 'name', 'scopes', 'roles'],
      found.map(({ id, identifier, name, scopes, roles }) => [
        id,
        identifier,
        name,
        namesOf(scopes),
        namesOf(roles),
      ]),
    ),
  );
}

async function show(context: Context, given: Arguments): Promise<void> {
  const api = await apiNamed(context, await context.graph(), given.at(0));
  const { scopes, roles, ...rest } = api;
  context.terminal.result(api, () => [
    ...listing(rest),
    '',
    ...table(['scope', 'language', 'description'], rowsOf(scopes)),
    '',
    ...table(['role', 'language', 'description'], rowsOf(roles)),
  ]);
}

const formatOf = (given: Arguments): { tokenFormat?: 'JWT' | 'OPAQUE' } => {
  const format = given.text('format');
  return format === undefined ? {} : { tokenFormat: format.toUpperCase() as 'JWT' };
};

/** @throws Failure usage */
function lifetimeOf(given: Arguments): { tokenLifetimeSeconds?: number | null } {
  const text = given.text('lifetime');
  if (text === undefined) return {};
  if (text === 'default') return { tokenLifetimeSeconds: null };
  return { tokenLifetimeSeconds: wholeNumber(given, 'lifetime', { from: 1, to: 2_147_483_647 }) };
}

async function create(context: Context, given: Arguments): Promise<void> {
  const scopes = describedIn('--scope', given.list('scope'));
  const roles = describedIn('--role', given.list('role'));
  const settings = { ...formatOf(given), ...lifetimeOf(given) };
  const graph = await context.graph();
  const input = {
    identifier: given.at(0),
    name: given.text('name') ?? '',
    scopes: inputOf(scopes),
    roles: inputOf(roles),
    ...settings,
    idempotencyKey: randomUUID(),
  };
  const { api } = made((await graph.ask(CreateApi, { input })).registerApi);
  context.terminal.result(api, () =>
    listing({ 'api id': api?.id, identifier: api?.identifier, name: api?.name }),
  );
}

/** Adds entries, or the given descriptions to existing ones, and removes others. @throws Failure notFound */
function updated(
  present: readonly Described[],
  given: readonly Described[],
  removed: readonly string[],
  what: string,
): Described[] {
  const unknown = removed.find((name) => !present.some((each) => each.name === name));
  if (unknown !== undefined) throw new Failure('notFound', `The API has no ${what} ${unknown}.`);
  const all = new Map(present.map((each) => [each.name, each]));
  for (const { name, descriptions = [] } of given) {
    const before = all.get(name)?.descriptions ?? [];
    all.set(name, { name, descriptions: descriptionsOf([...before, ...descriptions]) });
  }
  for (const name of removed) all.delete(name);
  return [...all.values()];
}

async function update(context: Context, given: Arguments): Promise<void> {
  const [scopes, roles] = [
    describedIn('--scope', given.list('scope')),
    describedIn('--role', given.list('role')),
  ];
  const [withoutScopes, withoutRoles] = [given.list('removeScope'), given.list('removeRole')];
  const name = given.text('name');
  const settings = { ...(name === undefined ? {} : { name }), ...formatOf(given), ...lifetimeOf(given) };
  const both = [...withoutScopes, ...withoutRoles].find((each) =>
    [...(withoutScopes.includes(each) ? scopes : []), ...(withoutRoles.includes(each) ? roles : [])].some(
      (one) => one.name === each,
    ),
  );
  if (both !== undefined) throw new Failure('usage', `${both} cannot be both set and removed.`);
  const changesScopes = scopes.length + withoutScopes.length > 0;
  const changesRoles = roles.length + withoutRoles.length > 0;
  if (!changesScopes && !changesRoles && Object.keys(settings).length === 0)
    throw new Failure('usage', 'An option must state what to change.');
  const graph = await context.graph();
  const api = await apiNamed(context, graph, given.at(0));
  const input = {
    ...settings,
    ...(changesScopes ? { scopes: inputOf(updated(api.scopes, scopes, withoutScopes, 'scope')) } : {}),
    ...(changesRoles ? { roles: inputOf(updated(api.roles, roles, withoutRoles, 'role')) } : {}),
  };
  const removed = [...withoutScopes, ...withoutRoles];
  if (removed.length > 0)
    await context.terminal.confirm(
      `Remove ${removed.join(', ')} from ${api.name}, its clients, users and groups? Access tokens of these clients are revoked.`,
    );
  const result = await changed(graph, api, input);
  context.terminal.result(result, () => [`${shown(result.name)} is updated.`]);
}

async function remove(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const { id, identifier, name, version } = await apiNamed(context, graph, given.at(0));
  await context.terminal.confirm(
    `Delete ${name} (${identifier}), with its scopes and roles? Access tokens of its clients are revoked.`,
  );
  made((await graph.ask(DeleteApi, { input: { id, version, idempotencyKey: randomUUID() } })).deleteApi);
  context.terminal.result({ id, identifier, name, deleted: true }, () => [`${shown(name)} is deleted.`]);
}

const settingOptions: readonly OptionDefinition[] = [
  {
    flags: '--scope <scope>',
    description: 'name of a scope, then optionally a language tag and a description for the consent page',
    many: true,
  },
  {
    flags: '--role <role>',
    description: 'name of a role, then optionally a language tag and a description for administrators',
    many: true,
  },
  { flags: '--lifetime <seconds>', description: 'lifetime of access tokens, or `default`' },
  { flags: '--format <format>', description: 'format of access tokens', choices: ['jwt', 'opaque'] },
];

export const apiCommands: GroupDefinition = {
  name: 'api',
  summary: 'Manages APIs of the organization, with scopes and roles.',
  commands: [
    {
      usage: 'list',
      summary: 'Lists APIs.',
      examples: ['ostiary api list', 'ostiary api list --json | jq -r .[].identifier'],
      run: list,
    },
    {
      usage: 'show <api>',
      summary: 'Shows an API with its scopes and roles, by identifier, name or id.',
      examples: ['ostiary api show https://orders.example'],
      run: show,
    },
    {
      usage: 'create <identifier>',
      summary: 'Registers an API. Its identifier is the audience of its tokens and cannot be changed.',
      details:
        'Descriptions without a language tag are English; one that begins with a bracket needs a tag, as in "[en] [Beta] See orders". A repeated scope or role adds a description.',
      options: [
        { flags: '--name <name>', description: 'name, shown on the consent page', required: true },
        ...settingOptions,
      ],
      examples: [
        'ostiary api create https://orders.example --name Orders --scope "orders:read See your orders" --scope "orders:read [de] Ihre Bestellungen ansehen"',
        'ostiary api create https://stock.example --name Stock --scope stock:read --role "manager Manages the stock" --format opaque',
      ],
      run: create,
    },
    {
      usage: 'update <api>',
      summary: 'Changes the given settings of an API, adds scopes and roles, and removes others.',
      details:
        'A given scope or role that exists keeps its other descriptions. A description that begins with a bracket needs a language tag, as in "[en] [Beta] See orders". Removed scopes are removed from clients, consents and grants, and removed roles from users and groups.',
      options: [
        { flags: '--name <name>', description: 'name, shown on the consent page' },
        ...settingOptions,
        { flags: '--remove-scope <scope>', description: 'scope to remove', many: true },
        { flags: '--remove-role <role>', description: 'role to remove', many: true },
      ],
      examples: [
        'ostiary api update Orders --scope "orders:write Change your orders" --lifetime 300',
        'ostiary api update https://orders.example --remove-scope orders:write --yes',
      ],
      run: update,
    },
    {
      usage: 'delete <api>',
      summary: 'Deletes an API, removes its scopes and roles, and revokes access tokens of its clients.',
      examples: ['ostiary api delete https://orders.example'],
      run: remove,
    },
    apiRoleCommands,
  ],
};
