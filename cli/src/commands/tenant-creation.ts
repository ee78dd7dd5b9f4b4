import { Failure } from '../failure.ts';
import { Clients, ConsoleClient, RegisterClient } from '../graph/generated/clients.ts';
import { CreateTenant, Tenant } from '../graph/generated/tenants.ts';
import { AssignRole, CreateUser, FindUsers, InviteUser } from '../graph/generated/users.ts';
import { Graph, made } from '../graph/graph.ts';
import { ReservedFile } from '../output/reserved-file.ts';
import { listing } from '../output/text.ts';
import { tenantOf } from '../session/settings.ts';
import type { Context } from './context.ts';
import type { Arguments } from './definition.ts';

/** Names of the first clients of a tenant. A repeated command finds the clients by these names. */
const programClient = 'Administration';
const commandLineClient = 'Ostiary command line';

export const administrationScopes = [
  ...[
    'users:read',
    'users:write',
    'access:write',
    'groups:read',
    'groups:write',
    'sessions:read',
    'sessions:write',
  ],
  ...[
    'clients:read',
    'clients:write',
    'connectors:read',
    'connectors:write',
    'provisioning:read',
    'audit:read',
  ],
  ...['tenants:read', 'tenants:write', 'webhooks:read', 'webhooks:write', 'roles:read', 'roles:write'],
  ...['scim:read', 'scim:write', 'ssf.read', 'ssf.manage'],
];

interface Created {
  tenant: { id: string; name: string; issuer: string };
  client: { id: string; secret: string | null; secretFile: string | null };
  commandLine: { clientId: string };
  admin: { id: string; userName: string; invitation: string | null } | null;
  /** Address of the console; null if the installation has none. */
  console: string | null;
}

/**
 * Creates a tenant with its first clients and administrator. Each step is idempotent, by name or idempotency key, and
 * the tenant cannot be used before the secret or the link is known. The same command completes an interrupted run.
 */
export async function createTenant(context: Context, given: Arguments): Promise<void> {
  const { terminal } = context;
  const id = tenantOf(given.at(0));
  const platform = await context.platform();
  const operator = await context.operator();
  const graph = new Graph(operator.in(id));
  const file = given.text('secretFile');
  // An existing client gets no new secret, and the file of the command that created it may have the same path.
  const secretFile =
    file === undefined || (await isBegun(platform, graph, id)) ? undefined : await ReservedFile.at(file);
  try {
    const name = given.text('name') ?? id;
    const tenant = await tenantMade(platform, id, name, (text) => terminal.progress(text));
    if (tenant.name !== name && given.text('name') !== undefined)
      terminal.warn(`The tenant ${id} exists with the name ${tenant.name}: --name does not change it.`);
    context.mayGoOn();
    const { clientId, secret } = await programClientMade(graph, id);
    if (secret !== null) await secretFile?.write(`${secret}\n`);
    terminal.progress(`Client ${programClient}`);
    const { commandLine, admin, console } = await completed(context, given, graph, id).catch(
      (error: unknown) => {
        throw halfMade(error, secret !== null && secretFile === undefined ? clientId : undefined, id);
      },
    );
    show(context, {
      tenant: { id, name: tenant.name, issuer: `${operator.server}/t/${id}` },
      client: {
        id: clientId,
        secret: secretFile === undefined ? secret : null,
        secretFile: secret !== null && secretFile !== undefined ? secretFile.path : null,
      },
      commandLine: { clientId: commandLine },
      admin,
      console,
    });
  } finally {
    await secretFile?.close();
  }
}

/** Performs the steps after the client for programs, whose secret is already stored. */
async function completed(
  { terminal }: Context,
  given: Arguments,
  graph: Graph,
  id: string,
): Promise<{ commandLine: string } & Pick<Created, 'admin' | 'console'>> {
  const commandLine = await commandLineMade(graph, id);
  terminal.progress(`Client ${commandLineClient}`);
  const userName = given.text('admin');
  const admin =
    userName === undefined ? null : await adminMade(graph, id, userName, given.text('adminName') ?? userName);
  const { client } = await graph.ask(ConsoleClient, {});
  return { commandLine, admin, console: client?.postLogoutRedirectUris[0] ?? null };
}

/** @param unseen the client whose new secret is lost because of the failure */
function halfMade(error: unknown, unseen: string | undefined, tenant: string): Failure {
  const failure = error instanceof Failure ? error : new Failure('failure', String(error));
  // Exit code 2 states that nothing was changed.
  const ending = failure.ending === 'usage' ? 'failure' : failure.ending;
  return new Failure(ending, failure.message, [
    ...failure.next,
    `The tenant ${tenant} and a client were created. Correct and repeat the command to create the rest.`,
    ...(unseen === undefined ? [] : [newSecret(unseen, tenant)]),
  ]);
}

const newSecret = (client: string, tenant: string): string =>
  `If the secret is lost: ostiary client rotate-secret ${client} --operator --tenant ${tenant}`;

/** Reports whether the tenant has its client for programs. */
async function isBegun(platform: Graph, graph: Graph, id: string): Promise<boolean> {
  const { tenant } = await platform.ask(Tenant, { id });
  return tenant?.status === 'ACTIVE' && (await clientCalled(graph, programClient)) !== undefined;
}

/** Returns the active tenant, creating it if necessary. @throws Failure conflict when it is suspended */
async function tenantMade(
  platform: Graph,
  id: string,
  name: string,
  progress: (text: string) => void,
): Promise<{ id: string; name: string }> {
  const { tenant: there } = await platform.ask(Tenant, { id });
  if (there) {
    progress(`The tenant ${id} exists already`);
    if (there.status === 'ACTIVE') return there;
    throw new Failure('conflict', `The tenant ${id} is suspended.`, `ostiary tenant resume ${id}`);
  }
  const { createTenant: payload } = await platform.ask(CreateTenant, { input: { id, name } });
  const isTaken = payload?.problems.some(({ code }) => code === 'NOT_UNIQUE') === true;
  if (isTaken) {
    // Another process created it with the same command.
    const { tenant } = await platform.ask(Tenant, { id });
    if (tenant) return tenant;
  }
  const { tenant } = made(payload);
  if (!tenant) throw new Failure('failure', 'The graph does not return the tenant.');
  progress(`Tenant ${id}`);
  return tenant;
}

async function clientCalled(graph: Graph, name: string): Promise<string | undefined> {
  for await (const client of graph.all(Clients, { name }, ({ clients }) => clients)) {
    if (client.name === name) return client.id;
  }
  return undefined;
}

async function programClientMade(
  graph: Graph,
  tenant: string,
): Promise<{ clientId: string; secret: string | null }> {
  const found = await clientCalled(graph, programClient);
  if (found !== undefined) return { clientId: found, secret: null };
  const answer = await graph.ask(RegisterClient, {
    input: {
      name: programClient,
      kind: 'MACHINE',
      grantTypes: ['client_credentials'],
      tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
      scopes: administrationScopes,
      idempotencyKey: `ostiary-tenant-create/${tenant}/program`,
    },
  });
  const { client, clientSecret } = made(answer.registerClient);
  if (!client) throw new Failure('failure', 'The graph does not return the client.');
  return { clientId: client.id, secret: clientSecret ?? null };
}

async function commandLineMade(graph: Graph, tenant: string): Promise<string> {
  const found = await clientCalled(graph, commandLineClient);
  if (found !== undefined) return found;
  const answer = await graph.ask(RegisterClient, {
    input: {
      name: commandLineClient,
      kind: 'DEVICE',
      scopes: ['openid', 'profile', 'offline_access', ...administrationScopes],
      idempotencyKey: `ostiary-tenant-create/${tenant}/command-line`,
    },
  });
  const { client } = made(answer.registerClient);
  if (!client) throw new Failure('failure', 'The graph does not return the client.');
  return client.id;
}

async function adminMade(
  graph: Graph,
  tenant: string,
  userName: string,
  displayName: string,
): Promise<NonNullable<Created['admin']>> {
  const { users } = await graph.ask(FindUsers, { where: { userName: { equals: userName } }, first: 1 });
  const id = users?.edges[0]?.node?.id ?? (await userMade(graph, tenant, userName, displayName));
  made((await graph.ask(AssignRole, { input: { userId: id, role: 'TENANT_ADMIN' } })).assignRole);
  const { inviteUser } = await graph.ask(InviteUser, { input: { userId: id } });
  // A user who can sign in needs no link.
  const isSetUp = inviteUser?.problems.some(({ code }) => code === 'CONFLICT') === true;
  return { id, userName, invitation: isSetUp ? null : (made(inviteUser).url ?? null) };
}

async function userMade(
  graph: Graph,
  tenant: string,
  userName: string,
  displayName: string,
): Promise<string> {
  const answer = await graph.ask(CreateUser, {
    input: {
      userName,
      displayName,
      ...(userName.includes('@') ? { emails: [{ value: userName, type: 'work', primary: true }] } : {}),
      idempotencyKey: `ostiary-tenant-create/${tenant}/${userName}`.slice(0, 200),
    },
  });
  const { user } = made(answer.createUser);
  if (!user) throw new Failure('failure', 'The graph does not return the user.');
  return user.id;
}

function show(context: Context, created: Created): void {
  const { tenant, client, commandLine, admin, console } = created;
  context.terminal.result(created, () =>
    listing({
      tenant: tenant.id,
      name: tenant.name,
      issuer: tenant.issuer,
      'client id': client.id,
      'client secret': client.secret ?? (client.secretFile ? `in ${client.secretFile}` : 'not shown again'),
      'command line': commandLine.clientId,
      ...(admin
        ? { administrator: admin.userName, 'set up at': admin.invitation ?? 'already able to sign in' }
        : {}),
      ...(console === null ? {} : { console }),
    }),
  );
  if (client.secret === null && client.secretFile === null) {
    context.terminal.note(newSecret(client.id, tenant.id));
  }
  const server = tenant.issuer.replace(/\/t\/[^/]+$/, '');
  context.terminal.note(
    `To sign in as a user: ostiary login --server ${server} --tenant ${tenant.id} --client-id ${commandLine.clientId}`,
  );
}
