import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import {
  administration,
  app,
  applied,
  exportOf,
  file,
  inside,
  newTenant,
  orders,
  rich,
  richOrders,
  richStock,
  service,
  stock,
} from './api-files.ts';
import { between } from './between.ts';
import { asClient, asOperator, ostiary } from './command-line.ts';

const demo = runningDemo();
let source = '';
beforeAll(async () => {
  source = await newTenant();
  await applied(source, rich);
});

/** Returns scopes or roles. */
const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `${prefix}${at}`, descriptions: [] }));

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
    const ours = { ...richOrders, name: 'Ours' };
    await applied(copy, { apis: [ours] });
    expect(await inside(copy, 'import', file(rich))).toMatchObject({ code: 0 });
    expect((await exportOf(copy)).apis).toMatchObject([ours, richStock ?? {}]);
    // A scope of another API in the definition of an API that exists is not imported.
    const moved = { apis: [richOrders, { ...richStock, scopes: [{ name: 'orders:read' }] }] };
    const answer = await inside(copy, 'import', file(moved));
    expect([answer.code, answer.json]).toEqual([0, { changes: [] }]);
    const taken = { apis: [{ identifier: 'urn:acme:new', name: 'New', scopes: [{ name: 'orders:read' }] }] };
    const refused = await inside(copy, 'import', file(taken));
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringContaining(`belongs to the API ${orders}`),
    ]);
  });

  test('The roles of a group are exported with few requests, also when the group has more of them than one page.', async () => {
    const copy = await newTenant();
    const roles = Array.from({ length: 12 }, (_, at) => ({ name: `role${10 + at}`, descriptions: [] }));
    const groupApiRoles = roles.map(({ name: role }) => ({
      ...{ group: 'Buyers', api: orders, role, managedBySources: role === 'role13' },
    }));
    await applied(copy, { apis: [{ ...richOrders, roles }], groupApiRoles });
    const asked: string[] = [];
    const before = async (body: string): Promise<void> => {
      asked.push(...(/"operationName":"(\w+)"/.exec(body)?.slice(1) ?? []));
    };
    const { json } = await between({ before }, (url) =>
      ostiary(['export', '--operator', '--tenant', copy], { ...asOperator(), OSTIARY_OPERATOR_URL: url }),
    );
    expect(json.groupApiRoles).toEqual(groupApiRoles);
    expect(asked.filter((name) => /Group/.test(name)).toSorted()).toEqual(['ApiRolesOfGroup', 'GroupRoles']);
  });

  test('Two parallel applies of one document register each API once.', async () => {
    const copy = await newTenant();
    const path = file(rich);
    const both = await Promise.all([inside(copy, 'apply', path), inside(copy, 'apply', path)]);
    const rejected = both.filter(({ code }) => code !== 0);
    expect(rejected.length).toBeLessThan(2);
    for (const { code, stderr } of rejected)
      expect([code, stderr]).toEqual([5, expect.stringContaining('has changed since it was read')]);
    expect(await inside(copy, 'apply', path)).toMatchObject({ code: 0 });
    expect(
      (await exportOf(copy)).apis.map(({ identifier }: { identifier: string }) => identifier).toSorted(),
    ).toEqual([orders, stock]);
  });

  test('An API that exchanges more scopes than fit together is changed in the two steps that the error names.', async () => {
    const copy = await newTenant();
    const before = { ...richOrders, scopes: named('old:', 60), roles: named('old', 30) };
    const after = { ...richOrders, scopes: named('new:', 60), roles: named('new', 30) };
    await applied(copy, { apis: [before] });
    for (const content of [after, { ...before, roles: after.roles }]) {
      const answer = await inside(copy, 'apply', file({ branding: { name: 'Changed' }, apis: [content] }));
      expect([answer.code, answer.stderr]).toEqual([5, expect.stringContaining('that only removes')]);
    }
    expect(await exportOf(copy)).toMatchObject({ apis: [before], branding: { name: null } });
    await applied(copy, { apis: [{ ...before, scopes: [], roles: [] }] });
    await applied(copy, { apis: [after] });
    expect((await exportOf(copy)).apis).toMatchObject([after]);
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
    [
      'a client with a scope for itself that no API has',
      { clients: [{ ...service, ownScopes: ['orders:raed'] }] },
      2,
      'ownScopes of Service has the scope orders:raed, which no API has',
    ],
    [
      'a scope in two new APIs',
      {
        apis: ['one', 'two'].map((name) => ({
          ...{ identifier: `urn:acme:${name}`, name, scopes: [{ name: 'new:read' }] },
        })),
      },
      2,
      'the scope new:read to the APIs urn:acme:one and urn:acme:two',
    ],
    [
      'a scope that an API has twice',
      {
        apis: [
          { identifier: 'urn:acme:one', name: 'One', scopes: named('new:', 1).concat(named('new:', 1)) },
        ],
      },
      2,
      'gives the API urn:acme:one the name new:0 twice',
    ],
    [
      'an API twice',
      { apis: [richOrders, { ...richOrders, name: 'Twin' }] },
      2,
      `contains the API ${orders} twice`,
    ],
    [
      'more scopes than an API can have',
      { apis: [{ identifier: 'urn:acme:one', name: 'One', scopes: named('new:', 101) }] },
      2,
      '101 scopes; the maximum is 100',
    ],
    [
      'more scopes than an API can have during the change',
      { apis: [{ ...richOrders, scopes: named('orders:', 99) }] },
      5,
      '101 scopes during the change',
    ],
    [
      'more roles than an API can have during the change',
      { apis: [{ ...richOrders, roles: named('role', 49) }], groupApiRoles: [] },
      5,
      '51 roles during the change',
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
