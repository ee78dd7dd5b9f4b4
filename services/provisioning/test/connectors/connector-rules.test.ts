import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConnectorRules } from '../../src/connectors/domain/connector.ts';
import { type Source, startWithDirectory, type WithDirectory } from '../support/real-directory.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let running: WithDirectory;
/** Without restrictions. */
let free: Source;
let serial = 0;

beforeAll(async () => {
  running = await startWithDirectory();
  free = await running.source('auto');
});
afterAll(() => running?.close());

const bound = (rules: Partial<ConnectorRules>, tenant = 'demo') => running.source('auto', tenant, { rules });
const person = (more: object = {}) => ({ schemas: [userSchema], userName: `ruled${++serial}`, ...more });
const patch = (source: Source, path: string, ...Operations: object[]) =>
  source.call('PATCH', path, { body: { schemas: [patchSchema], Operations } });
const bulk = (source: Source, ...Operations: object[]) =>
  source.call('POST', '/Bulk', { body: { schemas: [bulkSchema], Operations } });
const make = async (body: object = person(), at = '/Users'): Promise<string> =>
  (await free.call('POST', at, { body })).body.id;
const group = (...members: string[]): Promise<string> =>
  make(
    {
      schemas: [groupSchema],
      displayName: `Ruled ${++serial}`,
      members: members.map((value) => ({ value })),
    },
    '/Groups',
  );
const forbidden = { status: 403, body: { status: '403' } };

describe('Read-only connectors', () => {
  test('A connector that only reads can read and search; everything else is rejected with 403 and changes nothing.', async () => {
    const reader = await bound({ access: 'read' });
    const id = await make();
    const before = (await free.call('GET', `/Users/${id}`)).body;
    const search = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], count: 1 };
    expect((await reader.call('GET', `/Users/${id}`)).status).toBe(200);
    expect((await reader.call('GET', '/Users?count=1')).status).toBe(200);
    expect((await reader.call('POST', '/Users/.search', { body: search })).status).toBe(200);
    expect((await reader.call('POST', '/.search', { body: search })).status).toBe(200);
    for (const answer of [
      await reader.call('POST', '/Users', { body: person() }),
      await reader.call('PUT', `/Users/${id}`, { body: person() }),
      await patch(reader, `/Users/${id}`, { op: 'replace', value: { active: false } }),
      await reader.call('DELETE', `/Users/${id}`),
      await bulk(reader, { method: 'DELETE', path: `/Users/${id}` }),
    ]) {
      expect(answer).toMatchObject(forbidden);
      expect(answer.headers.get('www-authenticate')).toMatch(/insufficient_scope.*scim:write/);
    }
    expect((await free.call('GET', `/Users/${id}`)).body).toEqual(before);
  });

  test('A connector that only reads cannot write, with any scopes in the token of its OAuth client.', async () => {
    await running.service.connector({
      clientId: 'reading-client',
      rules: {
        access: 'read',
        resourceTypes: ['User'],
        attributes: null,
        protectedAccounts: { users: [], groups: [], administrators: false },
        vouchesForEmails: false,
      },
    });
    const token = await running.authorization.token({
      subject: 'reading-client',
      scopes: ['scim:read', 'scim:write', 'roles:write'],
    });
    const { scim } = running.service;
    expect((await scim('GET', '/Users?count=1', { token })).status).toBe(200);
    expect(await scim('POST', '/Users', { token, body: person() })).toMatchObject(forbidden);
    expect(await scim('GET', '/Groups', { token })).toMatchObject(forbidden);
  });
});

describe('Connectors for one resource type', () => {
  test('A connector for one resource type cannot read, write or send a Bulk for the other type.', async () => {
    const ofUsers = await bound({ resourceTypes: ['User'] });
    const id = await group();
    const refusal = { ...forbidden, body: { detail: 'This identity source can access only Users.' } };
    for (const answer of [
      await ofUsers.call('GET', '/Groups'),
      await ofUsers.call('GET', `/Groups/${id}`),
      await ofUsers.call('POST', '/Groups', { body: { schemas: [groupSchema], displayName: 'x' } }),
      await patch(ofUsers, `/Groups/${id}`, { op: 'remove', path: 'members' }),
      await ofUsers.call('DELETE', `/Groups/${id}`),
    ]) {
      expect(answer).toMatchObject(refusal);
    }
    const answer = await bulk(
      ofUsers,
      { method: 'POST', path: '/Users', bulkId: 'u', data: person() },
      { method: 'DELETE', path: `/Groups/${id}` },
    );
    expect(answer.body.Operations).toMatchObject([
      { status: '201' },
      { status: '403', response: refusal.body },
    ]);
    expect((await free.call('GET', `/Groups/${id}`)).status).toBe(200);
  });

  test('A connector for one resource type finds only its own type through /.search at the root.', async () => {
    const ofGroups = await bound({ resourceTypes: ['Group'] });
    await Promise.all([make(), group(), group()]);
    const search = (more: object) =>
      ofGroups.call('POST', '/.search', {
        body: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
          attributes: ['displayName'],
          ...more,
        },
      });
    const types = (answer: { body: { Resources: { meta: { resourceType: string } }[] } }) =>
      new Set(answer.body.Resources.map(({ meta }) => meta.resourceType));
    for (const more of [
      { attributes: ['meta'], startIndex: 1 },
      { attributes: ['meta'] },
      { attributes: ['meta'], sortBy: 'displayName' },
    ]) {
      expect(types(await search(more))).toEqual(new Set(['Group']));
    }
    expect(await search({ filter: 'userName eq "x"', startIndex: 1 })).toMatchObject({ status: 400 });
    const first = await search({ attributes: ['meta'], count: 1 });
    const second = await search({ attributes: ['meta'], count: 1, cursor: first.body.nextCursor });
    expect(second).toMatchObject({ status: 200 });
    expect(second.body.Resources[0].id).not.toBe(first.body.Resources[0].id);
  });
});

describe('Connectors with a list of attributes', () => {
  const rules: Partial<ConnectorRules> = {
    attributes: { mode: 'only', paths: ['userName', 'name', 'members', `${enterprise}:department`] },
  };

  test('PUT and POST ignore attributes that are not listed, PATCH rejects them, and a Bulk does the same.', async () => {
    const source = await bound(rules);
    const id = await make(person({ title: 'Countess', [enterprise]: { employeeNumber: '7' } }));
    const { userName } = (await free.call('GET', `/Users/${id}`)).body;
    const put = await source.call('PUT', `/Users/${id}`, {
      body: person({ userName, title: 'Duchess', active: false, [enterprise]: { department: 'Engines' } }),
    });
    expect(put).toMatchObject({
      status: 200,
      body: {
        title: 'Countess',
        active: true,
        [enterprise]: { employeeNumber: '7', department: 'Engines' },
      },
    });
    expect(
      await patch(source, `/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' }),
    ).toMatchObject({
      status: 400,
      body: { scimType: 'mutability', detail: expect.stringContaining('active') },
    });
    const answer = await bulk(
      source,
      { method: 'PUT', path: `/Users/${id}`, data: person({ userName, title: 'Duchess' }) },
      {
        method: 'PATCH',
        path: `/Users/${id}`,
        data: { schemas: [patchSchema], Operations: [{ op: 'remove', path: 'title' }] },
      },
    );
    expect(answer.body.Operations).toMatchObject([
      { status: '200' },
      { status: '400', response: { scimType: 'mutability' } },
    ]);
    expect((await free.call('GET', `/Users/${id}`)).body).toMatchObject({ title: 'Countess', active: true });
  });

  test('A password is subject to the list like any other attribute.', async () => {
    const source = await bound(rules);
    const owner = await bound({ attributes: { mode: 'only', paths: ['userName', 'password'] } });
    const staged = () => running.authorization.staged.length;
    const before = staged();
    const made = await source.call('POST', '/Users', { body: person({ password: 'correct horse battery' }) });
    expect(made.status).toBe(201);
    expect(
      await patch(source, `/Users/${made.body.id}`, {
        op: 'replace',
        path: 'password',
        value: 'correct horse',
      }),
    ).toMatchObject({ status: 400, body: { scimType: 'mutability' } });
    expect(
      await patch(source, `/Users/${made.body.id}`, { op: 'replace', value: { password: 'correct horse' } }),
    ).toMatchObject({ status: 400, body: { scimType: 'mutability' } });
    expect(staged()).toBe(before);
    expect(
      (
        await patch(owner, `/Users/${made.body.id}`, {
          op: 'replace',
          path: 'password',
          value: 'correct horse',
        })
      ).status,
    ).toBe(200);
    expect(staged()).toBe(before + 1);
  });

  test('The list may contain attributes of groups without the group name.', async () => {
    const source = await bound(rules);
    const [id, member] = [await group(), await make()];
    expect(
      await patch(source, `/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: member }] }),
    ).toMatchObject({ status: 200, body: { members: [{ value: member }] } });
    expect(
      await patch(source, `/Groups/${id}`, { op: 'replace', value: { id, displayName: 'x' } }),
    ).toMatchObject({ status: 400, body: { scimType: 'mutability' } });
  });
});

describe('protected accounts', () => {
  const protecting = (users: string[], groups: string[] = [], administrators = false) =>
    bound({ protectedAccounts: { users, groups, administrators } });

  test('A change of a protected account is rejected with a detail that states the reason and nothing else.', async () => {
    const [id, inside] = [await make(), await make()];
    const guarded = await group(inside);
    const source = await protecting([id], [guarded]);
    for (const target of [`/Users/${id}`, `/Users/${inside}`, `/Groups/${guarded}`]) {
      const refusals = [
        await patch(source, target, { op: 'replace', path: 'displayName', value: 'x' }),
        await source.call('PUT', target, {
          body: target.startsWith('/U') ? person() : { schemas: [groupSchema], displayName: 'x' },
        }),
        await source.call('DELETE', target),
      ];
      for (const answer of refusals) {
        expect(answer).toMatchObject({
          ...forbidden,
          body: { detail: 'This account is protected: this identity source must not change or delete it.' },
        });
      }
      expect((await source.call('GET', target)).status).toBe(200);
    }
  });

  test('A Bulk rejects changes of protected accounts one by one, also through members, and carries out the rest.', async () => {
    const [id, other] = [await make(), await make()];
    const guarded = await group();
    const elsewhere = await group(id);
    const source = await protecting([id], [guarded]);
    const members = (op: string, value: string) => ({
      schemas: [patchSchema],
      Operations: [{ op, path: 'members', value: [{ value }] }],
    });
    const answer = await bulk(
      source,
      { method: 'DELETE', path: `/Users/${id}` },
      { method: 'PATCH', path: `/Groups/${guarded}`, data: members('add', other) },
      { method: 'PATCH', path: `/Groups/${elsewhere}`, data: members('Remove', id) },
      {
        method: 'POST',
        path: '/Groups',
        bulkId: 'g',
        data: { schemas: [groupSchema], displayName: 'x', members: [{ value: id }] },
      },
      { method: 'PATCH', path: `/Groups/${elsewhere}`, data: members('add', other) },
      { method: 'DELETE', path: `/Users/${other}` },
    );
    expect(answer.body.Operations.map(({ status }: { status: string }) => status)).toEqual([
      '403',
      '403',
      '403',
      '403',
      '200',
      '204',
    ]);
    expect((await free.call('GET', `/Groups/${elsewhere}`)).body.members).toEqual([
      expect.objectContaining({ value: id }),
    ]);
  });

  test('Protected accounts of another tenant are answered with 404, and its lists protect no account here.', async () => {
    const id = await make();
    const rival = await running.source('auto', 'rival', {
      rules: { protectedAccounts: { users: [id], groups: [], administrators: true } },
    });
    for (const target of [id, crypto.randomUUID()]) {
      expect(
        (await patch(rival, `/Users/${target}`, { op: 'replace', path: 'title', value: 'x' })).status,
      ).toBe(404);
    }
    expect((await patch(free, `/Users/${id}`, { op: 'replace', path: 'title', value: 'x' })).status).toBe(
      200,
    );
  });

  test('Every user with a role is protected as an administrator from the moment it is granted until it is removed.', async () => {
    const id = await make();
    const source = await protecting([], [], true);
    const change = () => patch(source, `/Users/${id}`, { op: 'replace', value: { active: true } });
    expect((await change()).status).toBe(200);
    running.authorization.administrators.add(id);
    try {
      expect(await change()).toMatchObject(forbidden);
      expect(await source.call('DELETE', `/Users/${id}`)).toMatchObject(forbidden);
      const target = await group();
      const add = { op: 'add', path: 'members', value: [{ value: id }] };
      expect(await patch(source, `/Groups/${target}`, add)).toMatchObject(forbidden);
      // An unrestricted connector may do so.
      expect((await patch(free, `/Groups/${target}`, add)).status).toBe(200);
    } finally {
      running.authorization.administrators.delete(id);
    }
    expect((await change()).status).toBe(200);
  });

  test('While the administrators cannot be determined, nothing is changed.', async () => {
    const id = await make();
    const source = await protecting([], [], true);
    running.authorization.state.down = true;
    try {
      const answer = await patch(source, `/Users/${id}`, { op: 'replace', path: 'title', value: 'x' });
      expect(answer.status).toBe(503);
      expect((await source.call('GET', `/Users/${id}`)).body).not.toHaveProperty('title');
    } finally {
      running.authorization.state.down = false;
    }
  });

  test.each<[string, (source: Source, id: string) => Promise<{ status: number }>]>([
    [
      'PATCH with a path',
      (source, id) => patch(source, `/Users/${id}`, { op: 'replace', path: 'active', value: false }),
    ],
    [
      'PATCH without a path',
      (source, id) => patch(source, `/Users/${id}`, { op: 'Replace', value: { active: 'False' } }),
    ],
    ['PUT', (source, id) => source.call('PUT', `/Users/${id}`, { body: person({ active: false }) })],
    ['DELETE', (source, id) => source.call('DELETE', `/Users/${id}`)],
  ])(
    'A deactivation (%s) succeeds without the authorization server, except for a user known to have a role.',
    async (_way, close) => {
      const [leaver, boss] = [await make(), await make()];
      const source = await protecting([], [], true);
      running.authorization.administrators.add(boss);
      try {
        // The source has received the list of role holders once.
        const title = { op: 'replace', path: 'title', value: 'x' };
        expect((await patch(source, `/Users/${leaver}`, title)).status).toBe(200);
        running.authorization.state.down = true;
        expect([200, 204]).toContain((await close(source, leaver)).status);
        expect(await close(source, boss)).toMatchObject(forbidden);
        const still = await free.call('GET', `/Users/${leaver}`);
        expect(still.status === 404 || still.body.active === false).toBe(true);
      } finally {
        running.authorization.state.down = false;
        running.authorization.administrators.delete(boss);
      }
    },
  );

  test('Of 50 concurrent attempts by all routes, none changes a protected account.', async () => {
    const id = await make();
    const guarded = await group(id);
    const open = await group();
    const source = await protecting([], [guarded]);
    const before = (await free.call('GET', `/Users/${id}`)).body;
    const ways = [
      () => patch(source, `/Users/${id}`, { op: 'replace', value: { active: false } }),
      () => patch(source, `/Groups/${guarded}`, { op: 'remove', path: `members[value eq "${id}"]` }),
      () => patch(source, `/Groups/${guarded}`, { op: 'replace', path: 'members', value: [] }),
      () => patch(source, `/Groups/${open}`, { op: 'add', path: 'members', value: [{ value: id }] }),
      () => source.call('DELETE', `/Groups/${guarded}`),
    ];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (ways[n % ways.length] as () => ReturnType<typeof patch>)()),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await free.call('GET', `/Users/${id}`)).body).toEqual(before);
  });
});
