import { randomUUID } from 'node:crypto';
import { Failure } from '../failure.ts';
import {
  Client,
  Clients,
  type ClientsQuery,
  DeleteClient,
  DisableClient,
  EnableClient,
  RegisterClient,
  RotateClientSecret,
} from '../graph/generated/clients.ts';
import { type Graph, made } from '../graph/graph.ts';
import { type Cell, listing, shown, table } from '../output/text.ts';
import type { Context } from './context.ts';
import type { Arguments, GroupDefinition } from './definition.ts';
import { secretLine, wholeNumber } from './values.ts';

type Listed = NonNullable<NonNullable<ClientsQuery['clients']>['edges'][number]['node']>;

async function clientNamed(
  graph: Graph,
  name: string,
): Promise<{ id: string; name: string; version: number }> {
  const { client } = await graph.ask(Client, { id: name });
  if (client) return client;
  const found: Listed[] = [];
  for await (const each of graph.all(Clients, { name }, ({ clients }) => clients)) {
    if (each.name === name) found.push(each);
  }
  const [only, other] = found;
  if (only === undefined) throw new Failure('notFound', `There is no client ${name}.`, 'ostiary client list');
  if (other === undefined) return only;
  throw new Failure(
    'conflict',
    `Several clients have the name ${name}: use the id.`,
    found.map(({ id }) => id),
  );
}

async function list(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const found: Listed[] = [];
  for await (const client of graph.all(Clients, { name: given.text('name') }, ({ clients }) => clients)) {
    found.push(client);
    context.mayGoOn();
  }
  context.terminal.result(found, () =>
    table(
      ['id', 'name', 'type', 'grants', 'disabled'],
      found.map(({ id, name, type, grantTypes, disabled }) => [
        id,
        name,
        type,
        grantTypes.map(shortGrant),
        disabled,
      ]),
    ),
  );
}

const shortGrant = (grant: string): string => grant.replace('urn:ietf:params:oauth:grant-type:', '');

async function show(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const { id } = await clientNamed(graph, given.at(0));
  const { client } = await graph.ask(Client, { id });
  if (!client) throw new Failure('notFound', `There is no client ${id}.`, 'ostiary client list');
  const { owner, ...rest } = client;
  const ownerName =
    owner && ('userName' in owner ? owner.userName : 'displayName' in owner ? owner.displayName : null);
  context.terminal.result({ ...rest, owner: ownerName ?? null }, () =>
    listing({ ...(rest as Record<string, Cell>), owner: ownerName ?? null }),
  );
}

async function create(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const answer = await graph.ask(RegisterClient, {
    input: {
      name: given.at(0),
      kind: (given.text('kind') ?? 'machine').toUpperCase().replaceAll('-', '_') as 'MACHINE',
      ...(given.list('redirectUri').length > 0 ? { redirectUris: [...given.list('redirectUri')] } : {}),
      ...(given.list('scope').length > 0 ? { scopes: [...given.list('scope')] } : {}),
      ...(given.list('ownScope').length > 0 ? { ownScopes: [...given.list('ownScope')] } : {}),
      ...(given.list('resource').length > 0 ? { resources: [...given.list('resource')] } : {}),
      idempotencyKey: randomUUID(),
    },
  });
  const { client, clientSecret } = made(answer.registerClient);
  context.terminal.result({ id: client?.id, name: client?.name, clientSecret: clientSecret ?? null }, () =>
    listing({
      'client id': client?.id,
      name: client?.name,
      ...(clientSecret ? { 'client secret': clientSecret } : {}),
    }),
  );
  if (clientSecret) context.terminal.note(secretLine);
}

async function rotate(context: Context, given: Arguments): Promise<void> {
  const overlapSeconds = wholeNumber(given, 'overlap', { from: 0, to: 2_592_000 });
  const graph = await context.graph();
  const { id, name, version } = await clientNamed(graph, given.at(0));
  if (overlapSeconds === 0)
    await context.terminal.confirm(`Invalidate the current secret of ${name} immediately?`);
  const input = { id, version, overlapSeconds, idempotencyKey: randomUUID() };
  const { clientSecret } = made((await graph.ask(RotateClientSecret, { input })).rotateClientSecret);
  context.terminal.result({ id, name, clientSecret: clientSecret ?? null }, () =>
    listing({ 'client id': id, name, 'client secret': clientSecret }),
  );
  context.terminal.note(secretLine);
}

const turned =
  (disabled: boolean) =>
  async (context: Context, given: Arguments): Promise<void> => {
    const graph = await context.graph();
    const { id, name, version } = await clientNamed(graph, given.at(0));
    if (disabled) await context.terminal.confirm(`Disable ${name}? Everything issued to it is revoked.`);
    const input = { id, version, idempotencyKey: randomUUID() };
    if (disabled) made((await graph.ask(DisableClient, { input })).disableClient);
    else made((await graph.ask(EnableClient, { input })).enableClient);
    context.terminal.result({ id, name, disabled }, () => [
      `${shown(name)} is ${disabled ? 'disabled' : 'enabled'}.`,
    ]);
  };

async function remove(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const { id, name, version } = await clientNamed(graph, given.at(0));
  await context.terminal.confirm(`Delete ${name}? Everything issued to it is revoked.`);
  made(
    (await graph.ask(DeleteClient, { input: { id, version, idempotencyKey: randomUUID() } })).deleteClient,
  );
  context.terminal.result({ id, name, deleted: true }, () => [`${shown(name)} is deleted.`]);
}

export const clientCommands: GroupDefinition = {
  name: 'client',
  summary: 'Manages OAuth clients of a tenant.',
  commands: [
    {
      usage: 'list',
      summary: 'Lists clients.',
      options: [{ flags: '--name <text>', description: 'filter by name' }],
      examples: ['ostiary client list', 'ostiary client list --name portal --json'],
      run: list,
    },
    {
      usage: 'show <client>',
      summary: 'Shows a client, by id or name.',
      examples: ['ostiary client show Portal'],
      run: show,
    },
    {
      usage: 'create <name>',
      summary: 'Registers a client. Its secret is shown once.',
      options: [
        {
          flags: '--kind <kind>',
          description: 'kind of client',
          choices: ['machine', 'web', 'single-page', 'native', 'device', 'mcp'],
          default: 'machine',
        },
        { flags: '--scope <scope>', description: 'allowed scope', many: true },
        {
          flags: '--own-scope <scope>',
          description: 'scope of an API that the client may request for itself',
          many: true,
        },
        { flags: '--redirect-uri <uri>', description: 'redirect URI', many: true },
        { flags: '--resource <uri>', description: 'allowed resource', many: true },
      ],
      examples: [
        'ostiary client create Reporting --scope users:read --scope audit:read',
        'ostiary client create Portal --kind web --redirect-uri https://portal.example/callback --scope openid',
      ],
      run: create,
    },
    {
      usage: 'rotate-secret <client>',
      summary: 'Creates a secret, which is shown once. The previous secret stays valid during the overlap.',
      options: [{ flags: '--overlap <seconds>', description: 'duration of the overlap', default: '86400' }],
      examples: [
        'ostiary client rotate-secret Reporting',
        'ostiary client rotate-secret Reporting --overlap 0 --yes',
      ],
      run: rotate,
    },
    {
      usage: 'disable <client>',
      summary: 'Disables a client and revokes everything issued to it.',
      examples: ['ostiary client disable Portal'],
      run: turned(true),
    },
    {
      usage: 'enable <client>',
      summary: 'Enables a disabled client.',
      examples: ['ostiary client enable Portal'],
      run: turned(false),
    },
    {
      usage: 'delete <client>',
      summary: 'Deletes a client and revokes everything issued to it.',
      examples: ['ostiary client delete Portal'],
      run: remove,
    },
  ],
};
