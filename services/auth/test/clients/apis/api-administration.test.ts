import { describe, expect, test } from '@jest/globals';
import { apiScopesIn } from '../../../src/clients/domain/client-metadata.ts';
import {
  admin,
  asking,
  column,
  newApi,
  rivalAdmin,
  run,
  setUpChanging,
  unique,
} from '../../support/sign-in/changing.ts';
import { rival, tenant } from '../../support/sign-in/service.ts';

setUpChanging();

const fields = `id identifier name tokenLifetimeSeconds tokenFormat version
  scopes { name descriptions { language text } }`;

const ask = (query: string, variables: object = {}, token = admin) => asking.ask(query, variables, token);

const read = async (id: string, token = admin) =>
  (await ask(`query ($id: ID!) { api(id: $id) { ${fields} } }`, { id }, token)).data.api;

const register = async (input: object, token = admin) =>
  (
    await ask(
      `mutation ($input: RegisterApiInput!) { registerApi(input: $input) {
         api { ${fields} } problems { code message path } } }`,
      { input },
      token,
    )
  ).data.registerApi;

const input = (name: string) => ({
  identifier: `https://${name}.example/`,
  name: ' Orders ',
  scopes: [
    {
      name: `${name}:write`,
      descriptions: [
        { language: 'en', text: 'Change orders' },
        { language: 'de-CH', text: 'Bestellungen ändern' },
      ],
    },
    { name: `${name}:read` },
  ],
  tokenLifetimeSeconds: 120,
});

const stored = (name: string) => ({
  identifier: `https://${name}.example`,
  name: 'Orders',
  tokenLifetimeSeconds: 120,
  tokenFormat: 'JWT',
  version: 1,
  scopes: [
    {
      name: `${name}:write`,
      descriptions: expect.arrayContaining([
        { language: 'en', text: 'Change orders' },
        { language: 'de-ch', text: 'Bestellungen ändern' },
      ]),
    },
    { name: `${name}:read`, descriptions: [] },
  ],
});

test('An API is registered, read, listed, updated and deleted in its tenant only.', async () => {
  const name = unique();
  const { api, problems } = await register(input(name));
  expect(problems).toEqual([]);
  expect(api).toMatchObject(stored(name));
  expect(await read(api.id)).toMatchObject(stored(name));
  expect(await read(api.id, rivalAdmin)).toBeNull();
  expect(await read('x')).toBeNull();

  const list = async (token = admin) =>
    (await ask('{ apis(last: 1) { totalCount edges { node { id } } } }', {}, token)).data.apis;
  expect((await list()).edges).toEqual([{ node: { id: api.id } }]);
  expect(await list(rivalAdmin)).toEqual({ totalCount: 0, edges: [] });

  for (const mutation of ['updateApi', 'deleteApi'])
    expect((await run(mutation, { id: api.id }, rivalAdmin)).problems).toEqual([{ code: 'NOT_FOUND' }]);
  await run('updateApi', { id: api.id, tokenLifetimeSeconds: null, tokenFormat: 'OPAQUE' });
  const changed = { tokenLifetimeSeconds: null, tokenFormat: 'OPAQUE', version: 2 };
  expect(await read(api.id)).toMatchObject({ ...stored(name), ...changed });
  expect((await run('deleteApi', { id: api.id })).id).toBe(api.id);
  expect(await read(api.id)).toBeNull();
  const left = 'SELECT count(*)::text AS value FROM auth.api_scopes WHERE name LIKE $1';
  expect(await column(left, [`${name}:%`])).toBe('0');
});

describe('invalid APIs', () => {
  const valid = () => ({ identifier: `https://${unique()}.example/v1`, name: 'Orders' });
  const scope = (name: string, descriptions: object[] = []) => ({ scopes: [{ name, descriptions }] });
  const cases: [what: string, changes: () => object, argument: string][] = [
    ['a relative identifier', () => ({ identifier: 'orders' }), 'identifier'],
    ['a fragment in the identifier', () => ({ identifier: 'https://orders.example/#x' }), 'identifier'],
    ['a query after an empty path', () => ({ identifier: 'https://orders.example?x' }), 'identifier'],
    ['a query after a slash', () => ({ identifier: 'https://orders.example/?x' }), 'identifier'],
    ['an identifier of the platform', () => ({ identifier: 'urn:ostiary:tenant-api' }), 'identifier'],
    ['the graph as identifier', () => ({ identifier: 'http://localhost:4000/graphql' }), 'identifier'],
    [
      'an issuer of the rival tenant as identifier',
      () => ({ identifier: `http://localhost:4000/t/${rival}/scim/v2` }),
      'identifier',
    ],
    ['an empty name', () => ({ name: ' ' }), 'name'],
    ['a built-in scope', () => scope('users:read'), 'scopes'],
    ['a scope of OpenID Connect', () => scope('openid'), 'scopes'],
    ['a scope that begins like a built-in one', () => scope('Users:delete'), 'scopes'],
    ['a scope with a space', () => scope('orders read'), 'scopes'],
    ['a scope twice', () => ({ scopes: [{ name: 'o:read' }, { name: 'o:read' }] }), 'scopes'],
    ['a role with a space', () => ({ roles: [{ name: 'order reader' }] }), 'roles'],
    ['a role twice', () => ({ roles: [{ name: 'reader' }, { name: 'reader' }] }), 'roles'],
    ['a role name of 65 characters', () => ({ roles: [{ name: 'r'.repeat(65) }] }), 'roles'],
    ['51 roles', () => ({ roles: Array.from({ length: 51 }, (_, n) => ({ name: `r${n}` })) }), 'roles'],
    ['a language that is no tag', () => scope('o:read', [{ language: '__proto__', text: 'x' }]), 'scopes'],
    ['an empty description', () => scope('o:read', [{ language: 'en', text: ' ' }]), 'scopes'],
    [
      'two descriptions in one language',
      () =>
        scope('o:read', [
          { language: 'en', text: 'x' },
          { language: 'EN', text: 'y' },
        ]),
      'scopes',
    ],
    ['a lifetime below the minimum', () => ({ tokenLifetimeSeconds: 59 }), 'tokenLifetimeSeconds'],
    [
      'a lifetime above that of the installation',
      () => ({ tokenLifetimeSeconds: 601 }),
      'tokenLifetimeSeconds',
    ],
  ];
  test.each(cases)('An API with %s is rejected at its argument.', async (_, changes, argument) => {
    const { api, problems } = await register({ ...valid(), ...changes() });
    expect([api, problems]).toEqual([
      null,
      [{ code: 'INVALID_INPUT', message: expect.any(String), path: ['input', argument] }],
    ]);
  });

  test('An identifier or scope of another API of the tenant is rejected; the rival tenant can use both.', async () => {
    const taken = await read(await newApi());
    const [{ name }] = taken.scopes;
    const codes = async (input: object, token = admin) =>
      (await register(input, token)).problems.map(({ path }: { path: string[] }) => path[1]);
    expect(await codes({ ...valid(), identifier: taken.identifier })).toEqual(['identifier']);
    expect(await codes({ ...valid(), identifier: `${taken.identifier}/` })).toEqual(['identifier']);
    expect(await codes({ ...valid(), scopes: [{ name }] })).toEqual(['scopes']);
    const other = await newApi();
    const moved = await run('updateApi', { id: other, scopes: [{ name }] });
    expect(moved.problems).toEqual([{ code: 'INVALID_INPUT' }]);
    expect(await codes({ identifier: taken.identifier, name: 'x', scopes: [{ name }] }, rivalAdmin)).toEqual(
      [],
    );
  });
});

describe('scopes of APIs in clients', () => {
  const client = async (input: object, token = admin) =>
    (
      await ask(
        `mutation ($input: RegisterClientInput!) { registerClient(input: $input) {
           client { id scopes ownScopes } problems { code path } } }`,
        { input: { name: 'App', ...input } },
        token,
      )
    ).data.registerClient;
  const web = { redirectUris: ['https://app.example/cb'] };
  const job = { grantTypes: ['client_credentials'], scopes: [] };

  test('A caller with clients:write gives clients scopes of APIs, for users and for themselves.', async () => {
    const { scopes } = await read(await newApi());
    const name: string = scopes[0].name;
    const writer = await asking.machine('clients:read clients:write');
    const given = await client({ ...web, scopes: ['openid', name] });
    expect(given.client).toMatchObject({ scopes: ['openid', name], ownScopes: [] });
    const own = await client({ ...job, ownScopes: [name] }, writer);
    expect(own.client).toMatchObject({ scopes: [], ownScopes: [name] });
    const id = own.client.id;
    expect((await run('updateClient', { id, ownScopes: null }, writer)).problems).toEqual([]);
    const after = await ask('query ($id: ID!) { client(id: $id) { ownScopes } }', { id });
    expect(after.data.client.ownScopes).toEqual([]);
  });

  test('Names of scopes are limited before they are looked up.', async () => {
    const names = Array.from({ length: 101 }, (_, n) => `o${n}:read`);
    const registered = { client_name: 'x' };
    expect(() => apiScopesIn({ ...registered, scope: names.join(' ') })).toThrow('at most 100');
    expect(() => apiScopesIn({ ...registered, scope: 'o'.repeat(5_000) })).toThrow('at most 4096');
    expect(() => apiScopesIn({ ...registered, own_scopes: names })).toThrow('at most 100');
    expect(apiScopesIn({ ...registered, own_scopes: ['o:read', 'o'.repeat(129)] })).toEqual(['o:read']);
    const problems = (await client({ ...job, ownScopes: names })).problems;
    expect(problems).toEqual([{ code: 'INVALID_INPUT', path: ['input', 'ownScopes'] }]);
  });

  test('Unknown scopes, scopes of another tenant, and own scopes without client_credentials are rejected.', async () => {
    const { scopes } = await read(await newApi());
    const name: string = scopes[0].name;
    const problems = async (input: object, token = admin) => (await client(input, token)).problems;
    const at = (path: string) => [{ code: 'INVALID_INPUT', path: ['input', path] }];
    expect(await problems({ ...web, scopes: [name] }, rivalAdmin)).toEqual(at('scopes'));
    expect(await problems({ ...job, ownScopes: [name] }, rivalAdmin)).toEqual(at('ownScopes'));
    expect(await problems({ ...job, ownScopes: ['users:read'] })).toEqual(at('ownScopes'));
    expect(await problems({ ...web, ownScopes: [name] })).toEqual(at('ownScopes'));
    const { id } = (await client({ ...job, scopes: ['users:read'] })).client;
    for (const input of [{ ownScopes: ['users:read'] }, { scopes: [], ownScopes: ['users:read'] }])
      expect((await run('updateClient', { id, ...input })).problems).toEqual([{ code: 'INVALID_INPUT' }]);
    expect(await problems({ ...web, scopes: ['nothing:read'] })).toEqual(at('scopes'));
  });

  test('A client without consent and with scopes of APIs requires rights over the sign-in of users.', async () => {
    const { scopes } = await read(await newApi());
    const own = 'users:read groups:read roles:read sessions:read provisioning:read audit:read';
    const input = { ...web, scopes: ['openid', scopes[0].name], requireConsent: false };
    const asked = async (granted: string) =>
      (
        await asking.ask(
          'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } } }',
          { input: { name: 'App', ...input } },
          await asking.machine(`clients:write ${granted}`),
        )
      ).errors?.[0]?.extensions.code;
    expect(await asked(own)).toBe('FORBIDDEN');
    expect(await asked(`${own} users:write access:write`)).toBeUndefined();
  });

  test('The security log names the clients that lost the scopes of a deleted API.', async () => {
    const id = await newApi();
    const { scopes } = await read(id);
    const lost = (await client({ ...job, ownScopes: [scopes[0].name] })).client.id;
    await run('deleteApi', { id });
    const { data } = await ask(
      `query ($id: ID) { securityLog(first: 1, filter: { resourceId: $id }) { edges { node {
         action resourceType changes { attribute before after } } } } }`,
      { id },
    );
    const [{ node }] = data.securityLog.edges;
    expect(node).toMatchObject({ action: 'api.deleted', resourceType: 'Api' });
    expect(node.changes).toContainEqual({
      attribute: 'clients',
      before: JSON.stringify([lost]),
      after: null,
    });
  });
});

test('The verifiers of an API are read with `clients:read` and in its tenant only.', async () => {
  const id = await newApi();
  const { identifier } = await read(id);
  const { client } = await run('registerClient', {
    name: unique(),
    kind: 'MACHINE',
    protectedResources: [identifier],
  });
  const verifiers = async (token = admin) =>
    await ask(
      `query ($id: ID!) { api(id: $id) { verifiers(first: 5) { totalCount edges { node {
         client { id } followers lastSeenAt lagMs } } } } }`,
      { id },
      token,
    );
  const unseen = { client: { id: client.id }, followers: 0, lastSeenAt: null, lagMs: null };
  expect((await verifiers()).data.api.verifiers).toEqual({ totalCount: 1, edges: [{ node: unseen }] });

  const { followerActivity, followerReports } = asking.service.deps;
  followerActivity.hold({ tenant, clientId: client.id, audience: identifier });
  await followerReports.write();
  const [{ node }] = (await verifiers()).data.api.verifiers.edges;
  expect(node).toMatchObject({ client: { id: client.id }, followers: 1, lagMs: 0 });
  expect(Date.parse(node.lastSeenAt)).not.toBeNaN();

  expect((await verifiers(rivalAdmin)).data.api).toBeNull();
  const { data, errors } = await asking.ask(
    `mutation ($input: UpdateApiInput!) { updateApi(input: $input) { api { id verifiers(first: 1) { totalCount } } } }`,
    { input: { id, name: 'Orders' } },
    await asking.machine('clients:write'),
  );
  expect([data?.updateApi.api, errors?.length]).toEqual([{ id, verifiers: null }, 1]);

  await run('deleteApi', { id });
  expect((await verifiers()).data.api).toBeNull();
});
