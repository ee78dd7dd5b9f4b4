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
  if (id === undefined && operator) throw new Failure('usage', 'Say which tenant.', 'ostiary tenant list');
  // One's own with any token; another's as the operator.
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
  summary: 'The tenants of the installation, for its operator.',
  commands: [
    {
      usage: 'create <id>',
      summary:
        'Creates a tenant with what it takes to begin: a client for programs, one for this command line, an administrator.',
      details:
        'Everything is made once, however often the command is given: one that was interrupted is given again, and completes what is missing. A client secret is shown when it is made, and never again.',
      options: [
        { flags: '--name <name>', description: 'what the tenant is called; its id unless said' },
        {
          flags: '--admin <user name>',
          description: 'a first administrator; the link to set up the account is printed',
        },
        { flags: '--admin-name <name>', description: 'what the administrator is called' },
        {
          flags: '--secret-file <path>',
          description: 'write the client secret to a new file (0600) instead of showing it',
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
      summary: 'All tenants.',
      options: [{ flags: '--text <text>', description: 'only those whose id or name contains it' }],
      examples: ['ostiary tenant list', 'ostiary tenant list --json | jq -r .[].id'],
      run: list,
    },
    {
      usage: 'show [id]',
      summary: 'One tenant: another as the operator, the own one without an id.',
      examples: ['ostiary tenant show', 'ostiary tenant show acme'],
      run: show,
    },
    {
      usage: 'suspend <id>',
      summary: 'Suspends a tenant: nobody gets in, and every token of it stops.',
      examples: ['ostiary tenant suspend acme', 'ostiary tenant suspend acme --yes'],
      run: turning(SuspendTenant, 'Suspend {}? Everybody in it is signed out, and every token stops.'),
    },
    {
      usage: 'resume <id>',
      summary: 'Lets a suspended tenant work again.',
      examples: ['ostiary tenant resume acme'],
      run: turning(ResumeTenant, ''),
    },
  ],
};
