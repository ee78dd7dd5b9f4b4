import { randomUUID } from 'node:crypto';
import { Failure } from '../failure.ts';
import {
  ResumeTenant,
  SuspendTenant,
  Tenant,
  Tenants,
  type TenantsQuery,
} from '../graph/generated/tenants.ts';
import { made } from '../graph/graph.ts';
import { listing, table } from '../output/text.ts';
import { tenantOf } from '../session/settings.ts';
import type { Context } from './context.ts';
import type { Arguments, GroupDefinition } from './definition.ts';
import { createTenant } from './tenant-creation.ts';

type Listed = NonNullable<NonNullable<TenantsQuery['tenants']>['edges'][number]['node']>;

async function list(context: Context, given: Arguments): Promise<void> {
  const graph = await context.platform();
  const found: Listed[] = [];
  for await (const tenant of graph.all(Tenants, { text: given.text('text') }, ({ tenants }) => tenants)) {
    found.push(tenant);
    context.mayGoOn();
  }
  context.terminal.result(found, () =>
    table(
      ['id', 'name', 'status', 'created'],
      found.map(({ id, name, status, createdAt }) => [id, name, status, createdAt]),
    ),
  );
}

async function show(context: Context, given: Arguments): Promise<void> {
  const { operator, tenant: said } = context.given;
  const id = given.optional(0) ?? (operator ? (said ?? context.surroundings.env.OSTIARY_TENANT) : undefined);
  if (id === undefined && operator)
    throw new Failure('usage', 'The id of the tenant is missing.', 'ostiary tenant list');
  // Any token can read its own tenant; another tenant requires the operator.
  const graph = id === undefined ? await context.graph() : await context.platform();
  const { tenant } = await graph.ask(Tenant, { id: id === undefined ? null : tenantOf(id) });
  if (!tenant) throw new Failure('notFound', `There is no tenant ${id ?? ''}.`, 'ostiary tenant list');
  context.terminal.result(tenant, () => listing(tenant));
}

const turning =
  (operation: typeof SuspendTenant | typeof ResumeTenant, question: string) =>
  async (context: Context, given: Arguments): Promise<void> => {
    const id = tenantOf(given.at(0));
    const graph = await context.platform();
    const { tenant } = await graph.ask(Tenant, { id });
    if (!tenant) throw new Failure('notFound', `There is no tenant ${id}.`, 'ostiary tenant list');
    if (operation === SuspendTenant) await context.terminal.confirm(question.replace('{}', tenant.name));
    const answer = await graph.ask(operation as typeof SuspendTenant, {
      input: { id, version: tenant.version, idempotencyKey: randomUUID() },
    });
    const payload = Object.values(answer)[0] as (typeof answer)['suspendTenant'];
    const changed = made(payload).tenant;
    context.terminal.result(changed, () => [`${id} is ${changed?.status.toLowerCase()}.`]);
  };

export const tenantCommands: GroupDefinition = {
  name: 'tenant',
  summary: 'Manages tenants, as the operator.',
  commands: [
    {
      usage: 'create <id>',
      summary:
        'Creates a tenant with a client for scripts, a client for the command line and an administrator.',
      details:
        'The command is idempotent and completes an interrupted creation. The client secret is shown once.',
      options: [
        { flags: '--name <name>', description: 'name of the tenant; default: its id' },
        {
          flags: '--admin <user name>',
          description: 'first administrator; prints the link to set up the account',
        },
        { flags: '--admin-name <name>', description: 'name of the administrator' },
        {
          flags: '--secret-file <path>',
          description: 'write the client secret to a new file (mode 0600)',
        },
      ],
      examples: [
        'ostiary tenant create acme --name "Acme Corp." --admin ada@acme.example',
        'ostiary tenant create acme --json --secret-file acme.secret',
      ],
      run: createTenant,
    },
    {
      usage: 'list',
      summary: 'Lists tenants.',
      options: [{ flags: '--text <text>', description: 'filter by id or name' }],
      examples: ['ostiary tenant list', 'ostiary tenant list --json | jq -r .[].id'],
      run: list,
    },
    {
      usage: 'show [id]',
      summary: 'Shows a tenant. Default: the tenant of the caller. Other tenants require the operator.',
      examples: ['ostiary tenant show', 'ostiary tenant show acme'],
      run: show,
    },
    {
      usage: 'suspend <id>',
      summary: 'Suspends a tenant. Sign-in and all its tokens are rejected.',
      examples: ['ostiary tenant suspend acme', 'ostiary tenant suspend acme --yes'],
      run: turning(
        SuspendTenant,
        'Suspend {}? All its users are signed out, and all its tokens are rejected.',
      ),
    },
    {
      usage: 'resume <id>',
      summary: 'Resumes a suspended tenant.',
      examples: ['ostiary tenant resume acme'],
      run: turning(ResumeTenant, ''),
    },
  ],
};
