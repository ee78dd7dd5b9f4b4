import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { between } from './between.ts';
import { asClient, asOperator, type Ended, ostiary } from './command-line.ts';
import { tenantGraph } from './tenant-graph.ts';

const demo = runningDemo();

let tenant = '';
beforeAll(async () => {
  tenant = unique('apis').toLowerCase().slice(0, 60);
  expect(await ostiary(['tenant', 'create', tenant], asOperator())).toMatchObject({ code: 0 });
});

const inside = (...args: string[]): Promise<Ended> =>
  ostiary([...args, '--operator', '--tenant', tenant, '--json', '--yes'], asOperator());

const asRival = (...args: string[]): Promise<Ended> =>
  ostiary([...args, '--json', '--yes'], asClient(demo.tenants.rival));

/** Registers an API with a scope and a role; returns its identifier. */
async function newApi(...more: string[]): Promise<{ identifier: string; name: string; scope: string }> {
  const name = unique('orders');
  const identifier = `https://${name}.example`;
  const scope = `${name}:read`;
  const created = await inside(
    ...['api', 'create', identifier, '--name', name, '--scope', `${scope} See your orders`],
    ...['--role', 'approver', ...more],
  );
  expect(created).toMatchObject({ code: 0, json: { identifier, name, id: expect.any(String) } });
  return { identifier, name, scope };
}

const shown = async (api: string) => (await inside('api', 'show', api)).json;

async function newUser(): Promise<{ id: string; userName: string }> {
  const userName = unique('holder');
  const { createUser } = await tenantGraph<{ createUser: { user: { id: string } } }>(
    tenant,
    'mutation ($userName: String!) { createUser(input: { userName: $userName }) { user { id } } }',
    { userName },
  );
  return { id: createUser.user.id, userName };
}

async function newGroup(displayName = unique('Buyers')): Promise<{ id: string; displayName: string }> {
  const { createGroup } = await tenantGraph<{ createGroup: { group: { id: string } } }>(
    tenant,
    'mutation ($displayName: String!) { createGroup(input: { displayName: $displayName }) { group { id } } }',
    { displayName },
  );
  return { id: createGroup.group.id, displayName };
}

async function tokenFor(
  id: string,
  secret: string,
  scope: string,
): Promise<{ status: number; aud?: string }> {
  const response = await fetch(`${demo.origin}/t/${tenant}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  });
  const { access_token: token = '' } = (await response.json()) as { access_token?: string };
  const [, payload = ''] = token.split('.');
  const { aud } = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}') as { aud?: string };
  return { status: response.status, ...(aud === undefined ? {} : { aud }) };
}

describe('ostiary api', () => {
  test('An API is created with descriptions in several languages, listed, shown, updated and deleted.', async () => {
    const name = unique('stock');
    const identifier = `https://${name}.example`;
    const created = await inside(
      ...['api', 'create', `${identifier}/`, '--name', 'Stock', '--format', 'opaque', '--lifetime', '120'],
      ...['--scope', `${name}:read See the stock`, '--scope', `${name}:read [de] Den Bestand ansehen`],
      ...['--scope', `${name}:write`, '--role', 'manager [en] Manages the stock'],
    );
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const read = {
      name: `${name}:read`,
      descriptions: expect.arrayContaining([
        { language: 'en', text: 'See the stock' },
        { language: 'de', text: 'Den Bestand ansehen' },
      ]),
    };
    const stored = {
      id: created.json.id,
      identifier,
      name: 'Stock',
      tokenFormat: 'OPAQUE',
      tokenLifetimeSeconds: 120,
      version: 1,
      scopes: [read, { name: `${name}:write`, descriptions: [] }],
      roles: [{ name: 'manager', descriptions: [{ language: 'en', text: 'Manages the stock' }] }],
    };
    for (const named of [identifier, `${identifier}/`, created.json.id, 'Stock'])
      expect(await shown(named)).toMatchObject(stored);
    expect((await inside('api', 'list')).json).toContainEqual(expect.objectContaining(stored));
    const table = await ostiary(['api', 'show', identifier, '--operator', '--tenant', tenant], asOperator());
    expect(table.stdout).toMatch(new RegExp(`^${name}:read +de +Den Bestand ansehen$`, 'm'));

    const updated = await inside(
      ...['api', 'update', identifier, '--name', 'Warehouse', '--lifetime', 'default', '--format', 'jwt'],
      ...['--scope', `${name}:read [fr] Voir le stock`, '--scope', `${name}:count`],
      ...['--remove-scope', `${name}:write`, '--role', 'auditor', '--remove-role', 'manager'],
    );
    expect(updated).toMatchObject({ code: 0, json: { id: created.json.id, name: 'Warehouse', version: 2 } });
    const after = await shown(identifier);
    expect(after).toMatchObject({ tokenFormat: 'JWT', tokenLifetimeSeconds: null });
    expect(after.scopes.map((scope: { name: string }) => scope.name)).toEqual([
      `${name}:read`,
      `${name}:count`,
    ]);
    expect(after.scopes[0].descriptions).toHaveLength(3);
    expect(after.roles).toEqual([{ name: 'auditor', descriptions: [] }]);

    expect((await inside('api', 'delete', 'Warehouse')).json).toMatchObject({ identifier, deleted: true });
    expect(await inside('api', 'show', identifier)).toMatchObject({ code: 4, stdout: '' });
  });

  test('A client that is created with a scope of an API gets tokens for it until the API is deleted.', async () => {
    const { identifier, scope } = await newApi();
    const { json: client } = await inside('client', 'create', unique('Service'), '--own-scope', scope);
    expect((await inside('client', 'show', client.id)).json).toMatchObject({ ownScopes: [scope] });
    expect(await tokenFor(client.id, client.clientSecret, scope)).toEqual({ status: 200, aud: identifier });
    expect(await inside('api', 'delete', identifier)).toMatchObject({ code: 0 });
    expect(await tokenFor(client.id, client.clientSecret, scope)).toEqual({ status: 400 });
    expect((await inside('client', 'show', client.id)).json).toMatchObject({ ownScopes: [] });
  });

  test('A client of another tenant can neither show, change nor delete an API, nor assign its roles.', async () => {
    const { identifier, name, scope } = await newApi();
    const { id, version } = await shown(identifier);
    const commands = [
      ['api', 'show'],
      ['api', 'update', '--name', 'Stolen'],
      ['api', 'update', '--remove-scope', scope],
      ['api', 'delete'],
      ['api', 'roles', 'list'],
    ];
    for (const named of [id, identifier, name]) {
      for (const [first = '', second = '', ...options] of commands) {
        const words =
          second === 'roles' ? [first, second, ...options, named] : [first, second, named, ...options];
        expect(await asRival(...words)).toMatchObject({ code: 4, stdout: '' });
      }
      for (const action of ['holders', 'create', 'delete'])
        expect(await asRival('api', 'roles', action, named, 'approver')).toMatchObject({
          code: 4,
          stdout: '',
        });
      for (const action of ['assign', 'unassign'])
        expect(await asRival('api', 'roles', action, named, 'approver', '--user', 'alice')).toMatchObject({
          code: 4,
          stdout: '',
        });
    }
    expect((await asRival('api', 'list')).json.map((api: { id: string }) => api.id)).not.toContain(id);
    expect(await shown(identifier)).toMatchObject({ name, version });
  });

  test('Names of users and groups resolve in the tenant of the API only.', async () => {
    const { identifier } = await newApi();
    const theirs = unique('Theirs');
    const [user, group] = [await newUser(), await newGroup()];
    const rivalApi = `https://${unique('rival')}.example`;
    expect(await asRival('api', 'create', rivalApi, '--name', theirs, '--role', 'approver')).toMatchObject({
      code: 0,
    });
    const assign = ['api', 'roles', 'assign', rivalApi, 'approver'];
    for (const named of [user.id, user.userName])
      expect(await asRival(...assign, '--user', named)).toMatchObject({ code: 4, stdout: '' });
    for (const named of [group.id, group.displayName])
      expect(await asRival(...assign, '--group', named)).toMatchObject({ code: 4, stdout: '' });
    expect((await inside('api', 'roles', 'holders', identifier, 'approver')).json).toEqual({
      users: [],
      groups: [],
    });
    expect(await asRival('api', 'delete', rivalApi)).toMatchObject({ code: 0 });
  });

  test.each<[what: string, args: string[], said: string]>([
    ['an API without a name', ['create', 'https://x.example'], '--name'],
    ['an unknown format', ['create', 'https://x.example', '--name', 'X', '--format', 'xml'], 'jwt, opaque'],
    ['a relative identifier', ['create', 'orders', '--name', 'X'], 'identifier must be an absolute URI'],
    [
      'an empty scope',
      ['create', 'https://x.example', '--name', 'X', '--scope', ' '],
      '--scope needs a name',
    ],
    [
      'a language without a text',
      ['create', 'https://x.example', '--name', 'X', '--scope', 'x:read [de]'],
      '--scope needs a text',
    ],
    [
      'a built-in scope',
      ['create', 'https://x.example', '--name', 'X', '--scope', 'users:read'],
      'scopes must not use users:read',
    ],
    [
      'a lifetime that is no number',
      ['create', 'https://x.example', '--name', 'X', '--lifetime', '5m'],
      '--lifetime must be a whole number',
    ],
    [
      'a lifetime below the minimum',
      ['create', 'https://x.example', '--name', 'X', '--lifetime', '1'],
      'tokenLifetimeSeconds must be between',
    ],
    ['an update without a change', ['update', 'https://x.example'], 'An option must state what to change'],
    [
      'a scope that is set and removed',
      ['update', 'https://x.example', '--scope', 'x:read', '--remove-scope', 'x:read'],
      'x:read cannot be both set and removed',
    ],
    [
      'a role without a holder',
      ['roles', 'assign', 'https://x.example', 'r'],
      'Exactly one of --user and --group',
    ],
    [
      'a role with two holders',
      ['roles', 'unassign', 'https://x.example', 'r', '--user', 'a', '--group', 'b'],
      'Exactly one of --user and --group',
    ],
    [
      'a user whose role is managed by sources',
      ['roles', 'assign', 'https://x.example', 'r', '--user', 'a', '--managed-by-sources'],
      '--managed-by-sources requires --group',
    ],
    [
      'a description without a text',
      ['roles', 'create', 'x', 'r', '--description', '[de] '],
      '--description needs',
    ],
    ['an unknown command for roles', ['roles', 'give'], 'unknown command'],
  ])('A command with %s is rejected with the reason, and changes nothing.', async (_, args, said) => {
    const answer = await inside('api', ...args);
    expect(answer).toMatchObject({ code: 2, stdout: '' });
    expect(answer.stderr).toContain(said);
    expect((await inside('api', 'show', 'https://x.example')).code).toBe(4);
  });

  test('An ambiguous name, an identifier in use, and unknown scopes and roles are rejected.', async () => {
    const [one, other] = [await newApi(), await newApi()];
    for (const { identifier } of [one, other])
      expect(await inside('api', 'update', identifier, '--name', 'Twin')).toMatchObject({ code: 0 });
    const ambiguous = await inside('api', 'delete', 'Twin');
    expect(ambiguous.code).toBe(5);
    for (const { identifier } of [one, other]) expect(ambiguous.stderr).toContain(identifier);
    const used = await inside('api', 'create', one.identifier, '--name', 'Again');
    expect([used.code, used.stdout]).toEqual([2, '']);
    expect(used.stderr).toContain('identifier is that of another API');
    const taken = await inside('api', 'update', other.identifier, '--scope', one.scope);
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('another API of the tenant has')]);
    for (const option of ['--remove-scope', '--remove-role'])
      expect(await inside('api', 'update', one.identifier, option, 'none')).toMatchObject({ code: 4 });
    for (const args of [['delete'], ['holders'], ['assign', '--user', 'x']]) {
      const [action = '', ...options] = args;
      const answer = await inside('api', 'roles', action, one.identifier, 'none', ...options);
      expect([answer.code, answer.stderr]).toEqual([4, expect.stringContaining('has no role none')]);
    }
    const again = await inside('api', 'roles', 'create', one.identifier, 'approver');
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('has a role approver already')]);
  });

  test('Without confirmation, nothing is removed.', async () => {
    const { identifier, scope } = await newApi();
    const before = await shown(identifier);
    for (const args of [
      ['delete', identifier],
      ['update', identifier, '--remove-scope', scope],
      ['roles', 'delete', identifier, 'approver'],
    ])
      expect(
        await ostiary(['api', ...args, '--operator', '--tenant', tenant, '--json'], asOperator()),
      ).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
    expect(await shown(identifier)).toEqual(before);
  });

  test('A change by another caller between read and write is not overwritten, and the command exits with 5.', async () => {
    const { identifier, name } = await newApi();
    let changed = 0;
    const theirsFirst = async (body: string): Promise<void> => {
      if (body.includes('updateApi') && changed++ === 0)
        expect(await inside('api', 'update', identifier, '--scope', `${name}:theirs`)).toMatchObject({
          code: 0,
        });
    };
    const answer = await between({ before: theirsFirst }, (url) =>
      ostiary(
        ['api', 'update', identifier, '--scope', `${name}:ours`, '--operator', '--tenant', tenant, '--json'],
        { ...asOperator(), OSTIARY_OPERATOR_URL: url },
      ),
    );
    expect([changed, answer.code, answer.stdout]).toEqual([1, 5, '']);
    const names = (await shown(identifier)).scopes.map((scope: { name: string }) => scope.name);
    expect(names).toEqual([`${name}:read`, `${name}:theirs`]);
  });

  test('Of parallel commands that add scopes to one API, each is either applied or exits with 5.', async () => {
    const { identifier, name } = await newApi();
    const added = ['a', 'b', 'c', 'd'].map((letter) => `${name}:${letter}`);
    const answers = await Promise.all(
      added.map((scope) => inside('api', 'update', identifier, '--scope', scope)),
    );
    const applied = added.filter((_, at) => answers[at]?.code === 0);
    expect(answers.every(({ code }) => code === 0 || code === 5)).toBe(true);
    expect(applied.length).toBeGreaterThan(0);
    const names = (await shown(identifier)).scopes.map((scope: { name: string }) => scope.name);
    expect(names.toSorted()).toEqual([`${name}:read`, ...applied].toSorted());
  });
});

describe('ostiary api roles', () => {
  test('A role is created with descriptions, listed and deleted.', async () => {
    const { identifier } = await newApi();
    const created = await inside(
      ...['api', 'roles', 'create', identifier, 'buyer', '--description', 'Buys'],
      ...['--description', '[de-AT] Kauft'],
    );
    expect(created).toMatchObject({ code: 0, json: { api: identifier, role: 'buyer' } });
    const { json: roles } = await inside('api', 'roles', 'list', identifier);
    expect(roles).toEqual([
      { name: 'approver', descriptions: [] },
      {
        name: 'buyer',
        descriptions: expect.arrayContaining([
          { language: 'en', text: 'Buys' },
          { language: 'de-at', text: 'Kauft' },
        ]),
      },
    ]);
    expect(await inside('api', 'roles', 'delete', identifier, 'approver')).toMatchObject({ code: 0 });
    expect((await inside('api', 'roles', 'list', identifier)).json).toEqual([roles[1]]);
  });

  test('A role is assigned to a user and a group, its holders are listed, and it is removed again.', async () => {
    const { identifier } = await newApi();
    const [user, group] = [await newUser(), await newGroup()];
    const at = [identifier, 'approver'];
    const byName = await inside('api', 'roles', 'assign', ...at, '--user', user.userName);
    expect(byName).toMatchObject({ code: 0, json: { role: 'approver', user, assigned: true } });
    const toGroup = await inside(
      ...['api', 'roles', 'assign', ...at, '--group', group.displayName, '--managed-by-sources'],
    );
    expect(toGroup).toMatchObject({ code: 0, json: { group, assigned: true } });
    const holders = async () => (await inside('api', 'roles', 'holders', ...at)).json;
    expect(await holders()).toMatchObject({ users: [user], groups: [group] });
    const { group: stored } = await tenantGraph<{ group: { apiRoleGrants: { edges: unknown[] } } }>(
      tenant,
      'query ($id: ID!) { group(id: $id) { apiRoleGrants { edges { node { role managedBySources } } } } }',
      { id: group.id },
    );
    expect(stored.apiRoleGrants.edges).toEqual([{ node: { role: 'approver', managedBySources: true } }]);
    for (const [option, id] of [
      ['--user', user.id],
      ['--group', group.id],
    ] as const)
      expect(await inside('api', 'roles', 'unassign', ...at, option, id)).toMatchObject({
        code: 0,
        json: { assigned: false },
      });
    expect(await holders()).toEqual({ users: [], groups: [] });
  });

  test('An unknown user or group, and an ambiguous name of a group, are rejected.', async () => {
    const { identifier } = await newApi();
    const assign = (...options: string[]) =>
      inside('api', 'roles', 'assign', identifier, 'approver', ...options);
    const unknown = '01234567-89ab-7def-8123-456789abcdef';
    for (const option of ['--user', '--group'])
      for (const name of ['Nobody', unknown]) expect(await assign(option, name)).toMatchObject({ code: 4 });
    const name = unique('Twins');
    const twins = [await newGroup(name), await newGroup(name)];
    const ambiguous = await assign('--group', name);
    expect([ambiguous.code, twins.every(({ id }) => ambiguous.stderr.includes(id))]).toEqual([5, true]);
  });
});

test('The help of nested commands lists them and their examples.', async () => {
  const group = await ostiary(['api', '--help'], {});
  expect(group).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ +roles +/m) });
  for (const args of [
    ['api', 'roles', 'assign', '--help'],
    ['help', 'api', 'roles', 'assign'],
  ]) {
    const { code, stdout } = await ostiary(args, {});
    expect([code, stdout]).toEqual([0, expect.stringContaining('--managed-by-sources')]);
    expect(stdout).toContain('ostiary api roles assign');
  }
});
