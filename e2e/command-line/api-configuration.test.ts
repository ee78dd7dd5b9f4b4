import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { asClient, asOperator, newHome, ostiary } from './command-line.ts';
import { tenantGraph } from './tenant-graph.ts';

const demo = runningDemo();
const folder = newHome();

const file = (content: object): string => {
  const path = join(folder, `${unique('file')}.json`);
  writeFileSync(path, JSON.stringify({ ostiary: 1, ...content }));
  return path;
};

async function newTenant(): Promise<string> {
  const id = unique('capi').toLowerCase().slice(0, 60);
  expect(await ostiary(['tenant', 'create', id], asOperator())).toMatchObject({ code: 0 });
  await tenantGraph(
    id,
    'mutation { createGroup(input: { displayName: "Buyers" }) { problems { message } } }',
    {},
  );
  return id;
}

const inside = (tenant: string, ...args: string[]) =>
  ostiary([...args, '--operator', '--tenant', tenant, '--json', '--yes'], asOperator());

const exportOf = async (tenant: string) => (await inside(tenant, 'export')).json;

const applied = async (tenant: string, content: object, ...options: string[]) => {
  const answer = await inside(tenant, 'apply', file(content), ...options);
  expect([answer.code, answer.stderr]).toEqual([0, expect.any(String)]);
  return answer.json.changes as { action: string; section: string; key: string; fields: string[] }[];
};

const orders = 'https://orders.acme.example';
const stock = 'https://stock.acme.example/v1';

const rich = {
  apis: [
    {
      identifier: orders,
      name: 'Orders',
      scopes: [
        {
          name: 'orders:write',
          descriptions: [
            { language: 'de', text: 'Bestellungen ändern' },
            { language: 'en', text: 'Change orders' },
          ],
        },
        { name: 'orders:read', descriptions: [] },
      ],
      roles: [
        { name: 'approver', descriptions: [{ language: 'en', text: 'Approves orders' }] },
        { name: 'buyer', descriptions: [] },
      ],
      tokenLifetimeSeconds: 120,
      tokenFormat: 'OPAQUE',
      claims: [{ name: 'dept', expression: 'user.department', required: true }],
    },
    {
      identifier: stock,
      name: 'Stock',
      scopes: [{ name: 'stock:read', descriptions: [] }],
      roles: [],
      tokenLifetimeSeconds: null,
      tokenFormat: 'JWT',
      claims: [],
    },
  ],
  clients: [
    { name: 'Administration' },
    {
      name: 'Service',
      grantTypes: ['client_credentials'],
      scopes: [],
      ownScopes: ['orders:read', 'orders:write', 'stock:read'],
    },
    {
      name: 'App',
      grantTypes: ['authorization_code'],
      redirectUris: ['https://app.acme.example/callback'],
      scopes: ['openid', 'orders:read'],
    },
  ],
  groupApiRoles: [
    { group: 'Buyers', api: orders, role: 'approver', managedBySources: true },
    { group: 'Buyers', api: orders, role: 'buyer', managedBySources: false },
  ],
  clientDocumentPolicy: {
    hosts: ['agents.acme.example', 'app.acme.example:8443'],
    registration: 'OPEN',
    redirectHosts: ['app.acme.example'],
    scopes: ['openid', 'profile'],
    apis: [orders],
  },
};

const [richOrders, richStock] = rich.apis;
const [administration, service, app] = rich.clients as [object, { name: string }, { name: string }];

let source = '';
beforeAll(async () => {
  source = await newTenant();
  await applied(source, rich);
});

describe('APIs in configuration files', () => {
  test('APIs, their grants to clients, roles of groups and the policy for client documents are exported, and equal in another tenant after an apply.', async () => {
    const document = await exportOf(source);
    expect(document).toMatchObject({
      apis: rich.apis,
      groupApiRoles: rich.groupApiRoles,
      clientDocumentPolicy: rich.clientDocumentPolicy,
    });
    for (const { name, ...client } of [service, app])
      expect(document.clients.find((each: { name: string }) => each.name === name)).toMatchObject(
        Object.fromEntries(
          Object.entries(client).map(([field, value]) => [
            field,
            Array.isArray(value) ? value.toSorted() : value,
          ]),
        ),
      );
    const copy = await newTenant();
    const { ostiary: _, ...sections } = document;
    await applied(copy, sections);
    expect(await exportOf(copy)).toEqual(document);
    expect((await inside(copy, 'diff', file(sections), '--prune')).json).toEqual({
      differences: [],
      onlyInTenant: [],
    });
    expect(await applied(copy, sections, '--prune')).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
  });

  test('Spellings that the server stores differently are no differences.', async () => {
    const other = {
      apis: [
        {
          ...richOrders,
          identifier: `${orders}/`,
          scopes: [
            {
              name: 'orders:write',
              descriptions: [
                { language: 'EN', text: 'Change orders ' },
                { language: 'De', text: 'Bestellungen ändern' },
              ],
            },
            { name: 'orders:read' },
          ],
        },
      ],
      groupApiRoles: [{ group: 'Buyers', api: `${orders}/`, role: 'buyer' }],
      clientDocumentPolicy: { apis: [`${orders}/`] },
    };
    expect((await inside(source, 'diff', file(other))).json.differences).toEqual([]);
  });

  test('The order and the descriptions of scopes are differences.', async () => {
    const [write, read] = richOrders?.scopes ?? [];
    for (const scopes of [
      [read, write],
      [{ name: 'orders:write' }, read],
      [{ ...write, descriptions: write?.descriptions.slice(1) }, read],
    ]) {
      const { json } = await inside(source, 'diff', file({ apis: [{ identifier: orders, scopes }] }));
      expect(json.differences).toEqual([
        { action: 'change', section: 'apis', key: orders, fields: ['scopes'] },
      ]);
    }
  });

  test('Scopes and roles are exchanged together with the clients and groups that have them.', async () => {
    const copy = await newTenant();
    await applied(copy, rich);
    const exchanged = {
      apis: [
        {
          ...richOrders,
          scopes: [
            { name: 'orders:read', descriptions: [] },
            { name: 'orders:refund', descriptions: [] },
          ],
          roles: [
            { name: 'buyer', descriptions: [] },
            { name: 'refunder', descriptions: [] },
          ],
        },
        richStock,
      ],
      clients: [administration, { ...service, ownScopes: ['orders:refund', 'stock:read'] }, app],
      groupApiRoles: [
        { group: 'Buyers', api: orders, role: 'buyer', managedBySources: true },
        { group: 'Buyers', api: orders, role: 'refunder', managedBySources: false },
      ],
    };
    await applied(copy, exchanged, '--prune');
    expect(await exportOf(copy)).toMatchObject({
      apis: exchanged.apis,
      groupApiRoles: exchanged.groupApiRoles,
    });
    expect((await inside(copy, 'diff', file(exchanged), '--prune')).json.differences).toEqual([]);
  });

  test('--prune deletes an API with its scopes and roles; without it, the API stays.', async () => {
    const copy = await newTenant();
    await applied(copy, rich);
    const without = {
      apis: [richStock],
      clients: [administration, { ...service, ownScopes: ['stock:read'] }, { ...app, scopes: ['openid'] }],
      groupApiRoles: [],
      clientDocumentPolicy: { ...rich.clientDocumentPolicy, apis: [stock] },
    };
    await applied(copy, without);
    expect((await exportOf(copy)).apis).toEqual(rich.apis);
    await applied(copy, without, '--prune');
    const { apis, groupApiRoles, clientDocumentPolicy } = await exportOf(copy);
    expect({ apis, groupApiRoles, clientDocumentPolicy }).toEqual({
      apis: [richStock],
      groupApiRoles: [],
      clientDocumentPolicy: without.clientDocumentPolicy,
    });
    expect(await applied(copy, without, '--prune')).toEqual([]);
    // The former document creates the deleted objects again.
    await applied(copy, rich);
    expect((await inside(copy, 'diff', file(rich))).json.differences).toEqual([]);
  });

  test('An import creates APIs that the tenant lacks, and does not change existing ones.', async () => {
    const copy = await newTenant();
    await applied(copy, { apis: [{ ...richOrders, name: 'Ours' }] });
    expect(await inside(copy, 'import', file(rich))).toMatchObject({ code: 0 });
    const { apis } = await exportOf(copy);
    expect(apis).toEqual([{ ...richOrders, name: 'Ours' }, richStock]);
  });

  test('Two parallel applies of one document register each API once.', async () => {
    const copy = await newTenant();
    const path = file(rich);
    const both = await Promise.all([inside(copy, 'apply', path), inside(copy, 'apply', path)]);
    expect(both.every(({ code }) => [0, 1, 2, 5].includes(code ?? -1))).toBe(true);
    expect(await inside(copy, 'apply', path)).toMatchObject({ code: 0 });
    expect(
      (await exportOf(copy)).apis.map(({ identifier }: { identifier: string }) => identifier).toSorted(),
    ).toEqual([orders, stock]);
  });

  const unusable: [what: string, content: object, code: number, said: string][] = [
    [
      'a role of an unknown API',
      { groupApiRoles: [{ group: 'Buyers', api: 'https://none.example', role: 'x' }] },
      2,
      'the API https://none.example, which does not exist',
    ],
    [
      'an unknown role of an API',
      { groupApiRoles: [{ group: 'Buyers', api: orders, role: 'none' }] },
      2,
      'the role none, which the API',
    ],
    [
      'a policy with an unknown API',
      { clientDocumentPolicy: { apis: ['https://none.example'] } },
      2,
      'the API https://none.example, which does not exist',
    ],
    [
      'a role of an API that is deleted',
      { apis: [], groupApiRoles: rich.groupApiRoles },
      2,
      'which --prune deletes',
    ],
    [
      'a client with a scope that is removed',
      { apis: [{ ...richOrders, scopes: [] }], clients: [administration, service] },
      2,
      'which it removes from its API',
    ],
    [
      'a scope that moves to another API',
      {
        apis: [
          { ...richOrders, scopes: [] },
          { ...richStock, scopes: [{ name: 'orders:read' }] },
        ],
      },
      5,
      `The scope orders:read belongs to the API ${orders}`,
    ],
    ['an unknown group', { groupApiRoles: [{ ...rich.groupApiRoles[0], group: 'None' }] }, 4, 'group None'],
  ];
  test.each(unusable)('A file with %s is rejected before any change.', async (_, content, code, said) => {
    const before = await exportOf(source);
    const path = file({ branding: { name: 'Changed' }, ...content });
    const answer = await inside(source, 'apply', path, '--prune');
    expect([answer.code, answer.stdout, answer.stderr]).toEqual([code, '', expect.stringContaining(said)]);
    expect(await exportOf(source)).toEqual(before);
  });

  test.each<[what: string, content: object]>([
    ['an API without an identifier', { apis: [{ name: 'Orders' }] }],
    ['a scope that is a text', { apis: [{ identifier: orders, scopes: ['orders:read'] }] }],
    ['a scope without a name', { apis: [{ identifier: orders, scopes: [{ descriptions: [] }] }] }],
    [
      'a scope with an unknown member',
      { apis: [{ identifier: orders, scopes: [{ name: 'x', secret: 'y' }] }] },
    ],
    [
      'descriptions that are an object',
      { apis: [{ identifier: orders, scopes: [{ name: 'x', descriptions: { en: 'X' } }] }] },
    ],
    [
      'a description without a language',
      { apis: [{ identifier: orders, roles: [{ name: 'x', descriptions: [{ text: 'X' }] }] }] },
    ],
    ['a lifetime that is a text', { apis: [{ identifier: orders, tokenLifetimeSeconds: '60' }] }],
    ['a role of a group without an API', { groupApiRoles: [{ group: 'Buyers', role: 'x' }] }],
    ['ids of APIs in the policy', { clientDocumentPolicy: { apiIds: [] } }],
  ])('A file with %s is rejected before any request.', async (_, content) => {
    const answer = await inside(source, 'apply', file(content));
    expect([answer.code, answer.stdout]).toEqual([2, '']);
    expect(answer.stderr).toMatch(/file-[^:]*\.json: (apis|groupApiRoles|clientDocumentPolicy)/);
  });

  test('A client of the rival tenant reads and writes APIs of its own tenant only.', async () => {
    const before = await exportOf(source);
    const theirs = `https://${unique('theirs')}.example`;
    const as = asClient(demo.tenants.rival);
    const content = { apis: [{ identifier: theirs, name: 'Theirs' }] };
    expect(await ostiary(['apply', file(content), '--yes', '--json'], as)).toMatchObject({ code: 0 });
    const { json } = await ostiary(['export'], as);
    const identifiers = json.apis.map(({ identifier }: { identifier: string }) => identifier);
    expect(identifiers).toContain(theirs);
    expect(identifiers).not.toContain(orders);
    expect(await exportOf(source)).toEqual(before);
    expect(await ostiary(['api', 'delete', theirs, '--yes'], as)).toMatchObject({ code: 0 });
  });
});

test('The demo tenants have an API with scopes, a role, and a client that gets tokens for it.', async () => {
  for (const [name, { issuer, clients }] of Object.entries(demo.tenants)) {
    const identifier = `https://orders.${name}.example`;
    const { client_id: id, client_secret: secret } = clients.orders ?? {};
    const { json } = await ostiary(
      ['api', 'show', identifier, '--json'],
      asClient(demo.tenants[name as 'demo']),
    );
    expect(json).toMatchObject({
      identifier,
      scopes: [{ name: 'orders:read' }, { name: 'orders:write' }],
      roles: [{ name: 'approver' }],
    });
    const authorization = `Basic ${btoa(`${id}:${secret}`)}`;
    const post = async (path: string, form: Record<string, string>) =>
      (
        await fetch(`${issuer}/${path}`, {
          method: 'POST',
          headers: { authorization },
          body: new URLSearchParams(form),
        })
      ).json() as Promise<{ access_token: string }>;
    const { access_token: token } = await post('token', {
      grant_type: 'client_credentials',
      scope: 'orders:read orders:write',
    });
    expect(await post('introspect', { token })).toMatchObject({
      active: true,
      aud: identifier,
      scope: 'orders:read orders:write',
    });
  }
});
