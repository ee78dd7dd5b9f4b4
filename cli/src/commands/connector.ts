import { randomUUID } from 'node:crypto';
import { Failure } from '../failure.ts';
import {
  Connector,
  Connectors,
  type ConnectorsQuery,
  CreateConnector,
  DeleteConnector,
  DisableConnector,
  EnableConnector,
  RotateConnectorToken,
} from '../graph/generated/connectors.ts';
import { type Graph, made } from '../graph/graph.ts';
import { listing, shown, table } from '../output/text.ts';
import type { Context } from './context.ts';
import type { Arguments, GroupDefinition } from './definition.ts';
import { wholeNumber } from './values.ts';

type Listed = NonNullable<NonNullable<ConnectorsQuery['connectors']>['edges'][number]['node']>;

async function allOf(context: Context, graph: Graph): Promise<Listed[]> {
  const found: Listed[] = [];
  for await (const connector of graph.all(Connectors, {}, ({ connectors }) => connectors)) {
    found.push(connector);
    context.mayGoOn();
  }
  return found;
}

async function connectorNamed(context: Context, graph: Graph, name: string): Promise<Listed> {
  const found = (await allOf(context, graph)).filter((each) => each.id === name || each.name === name);
  const [only, other] = found;
  if (only === undefined)
    throw new Failure('notFound', `There is no connector ${name}.`, 'ostiary connector list');
  if (other === undefined) return only;
  throw new Failure(
    'conflict',
    `Several connectors have the name ${name}: use the id.`,
    found.map(({ id }) => id),
  );
}

async function list(context: Context): Promise<void> {
  const found = await allOf(context, await context.graph());
  context.terminal.result(found, () =>
    table(
      ['id', 'name', 'profile', 'access', 'status'],
      found.map(({ id, name, profile, access, status }) => [id, name, profile, access, status]),
    ),
  );
}

async function show(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const { id } = await connectorNamed(context, graph, given.at(0));
  const { connector } = await graph.ask(Connector, { id });
  if (!connector) throw new Failure('notFound', `There is no connector ${id}.`, 'ostiary connector list');
  const { tokens, owner, ...rest } = connector;
  const ownerName =
    owner && ('userName' in owner ? owner.userName : 'displayName' in owner ? owner.displayName : null);
  context.terminal.result({ ...rest, owner: ownerName ?? null, tokens: tokens ?? [] }, () => [
    ...listing({ ...rest, owner: ownerName ?? null }),
    '',
    ...table(
      ['token', 'created', 'expires', 'last used'],
      (tokens ?? []).map((token) => [token.id, token.createdAt, token.expiresAt, token.lastUsedAt]),
    ),
  ]);
}

async function create(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const session = await context.session();
  const answer = await graph.ask(CreateConnector, {
    input: {
      name: given.at(0),
      profile: (given.text('profileOfSource') ?? 'auto').toUpperCase() as 'AUTO',
      access: given.flag('readOnly') ? 'READ_ONLY' : 'READ_WRITE',
      idempotencyKey: randomUUID(),
    },
  });
  const { connector, token } = made(answer.createConnector);
  const baseUrl = `${session.server}/t/${session.tenant}/scim/v2`;
  context.terminal.result({ id: connector?.id, name: connector?.name, baseUrl, token: token ?? null }, () =>
    listing({ connector: connector?.id, name: connector?.name, 'base URL': baseUrl, token }),
  );
  context.terminal.note('The token is shown only now. Enter it in the configuration of the identity source.');
}

async function rotate(context: Context, given: Arguments): Promise<void> {
  const overlapSeconds = wholeNumber(given, 'overlap', { from: 0, to: 2_592_000 });
  const graph = await context.graph();
  const { id, name, version } = await connectorNamed(context, graph, given.at(0));
  if (overlapSeconds === 0)
    await context.terminal.confirm(`Invalidate the current token of ${name} immediately?`);
  const input = { id, version, overlapSeconds, idempotencyKey: randomUUID() };
  const { token, previousTokenExpiresAt } = made(
    (await graph.ask(RotateConnectorToken, { input })).rotateConnectorToken,
  );
  context.terminal.result(
    { id, name, token: token ?? null, previousTokenExpiresAt: previousTokenExpiresAt ?? null },
    () => listing({ connector: id, name, token, 'previous token valid until': previousTokenExpiresAt }),
  );
  context.terminal.note('The token is shown only now.');
}

const turned =
  (enabled: boolean) =>
  async (context: Context, given: Arguments): Promise<void> => {
    const graph = await context.graph();
    const { id, name, version } = await connectorNamed(context, graph, given.at(0));
    if (!enabled) await context.terminal.confirm(`Disable ${name}? Its identity source can no longer write.`);
    const input = { id, version, idempotencyKey: randomUUID() };
    if (enabled) made((await graph.ask(EnableConnector, { input })).enableConnector);
    else made((await graph.ask(DisableConnector, { input })).disableConnector);
    const status = enabled ? 'ACTIVE' : 'DISABLED';
    context.terminal.result({ id, name, status }, () => [`${shown(name)} is ${status.toLowerCase()}.`]);
  };

async function remove(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const { id, name, version } = await connectorNamed(context, graph, given.at(0));
  await context.terminal.confirm(`Delete ${name}, with its tokens?`);
  made(
    (await graph.ask(DeleteConnector, { input: { id, version, idempotencyKey: randomUUID() } }))
      .deleteConnector,
  );
  context.terminal.result({ id, name, deleted: true }, () => [`${shown(name)} is deleted.`]);
}

export const connectorCommands: GroupDefinition = {
  name: 'connector',
  summary: 'Manages connectors of identity sources (SCIM).',
  commands: [
    { usage: 'list', summary: 'Lists connectors.', examples: ['ostiary connector list'], run: list },
    {
      usage: 'show <connector>',
      summary: 'Shows a connector and its tokens, by id or name.',
      examples: ['ostiary connector show Entra'],
      run: show,
    },
    {
      usage: 'create <name>',
      summary: 'Creates a connector and its bearer token, which is shown once.',
      options: [
        {
          flags: '--profile-of-source <profile>',
          description: 'accepted deviations from RFC 7644',
          choices: ['auto', 'rfc', 'entra', 'okta', 'onelogin'],
          default: 'auto',
        },
        { flags: '--read-only', description: 'read access only' },
      ],
      examples: ['ostiary connector create Entra --profile-of-source entra'],
      run: create,
    },
    {
      usage: 'rotate-token <connector>',
      summary:
        'Creates a bearer token, which is shown once. The previous token stays valid during the overlap.',
      options: [{ flags: '--overlap <seconds>', description: 'duration of the overlap', default: '86400' }],
      examples: ['ostiary connector rotate-token Entra'],
      run: rotate,
    },
    {
      usage: 'disable <connector>',
      summary: 'Disables a connector. Its tokens are rejected.',
      examples: ['ostiary connector disable Entra'],
      run: turned(false),
    },
    {
      usage: 'enable <connector>',
      summary: 'Enables a disabled connector.',
      examples: ['ostiary connector enable Entra'],
      run: turned(true),
    },
    {
      usage: 'delete <connector>',
      summary: 'Deletes a connector and its tokens.',
      examples: ['ostiary connector delete Entra'],
      run: remove,
    },
  ],
};
