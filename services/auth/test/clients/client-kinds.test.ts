import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import { type Asking, startAsking } from '../support/sign-in/asking.ts';
import { tenant } from '../support/sign-in/service.ts';

let asking: Asking;
let admin: string;

beforeAll(async () => {
  asking = await startAsking();
  admin = await asking.machine('clients:read clients:write');
});
afterAll(() => asking.service.stop());

const registration = `mutation ($input: RegisterClientInput!) { registerClient(input: $input) {
  client { type tokenEndpointAuthMethod applicationType grantTypes scopes resources profileClaimsInIdToken } clientSecret
  problems { code message } } }`;

const register = async (input: object) =>
  (await asking.ask(registration, { input: { name: 'Of a kind', ...input } }, admin)).data.registerClient;

const redirectUris = ['https://app.example/cb'];
const signIn = ['openid', 'profile', 'email', 'offline_access'];
const codeAndRefresh = ['authorization_code', 'refresh_token'];
const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code';
const publicClient = { type: 'PUBLIC', tokenEndpointAuthMethod: expect.stringMatching(/^none$/i) };
const confidential = {
  type: 'CONFIDENTIAL',
  tokenEndpointAuthMethod: 'CLIENT_SECRET',
};

/** Required input and expected registration by kind. */
const kinds: Record<string, { given: object; registered: object }> = {
  WEB: {
    given: { redirectUris },
    registered: {
      ...confidential,
      applicationType: 'WEB',
      grantTypes: codeAndRefresh,
      scopes: signIn,
      profileClaimsInIdToken: true,
    },
  },
  SINGLE_PAGE: {
    given: { redirectUris },
    registered: {
      ...publicClient,
      applicationType: 'WEB',
      grantTypes: codeAndRefresh,
      scopes: signIn,
      profileClaimsInIdToken: true,
    },
  },
  NATIVE: {
    given: { redirectUris: ['http://127.0.0.1/cb'] },
    registered: {
      ...publicClient,
      applicationType: 'NATIVE',
      grantTypes: codeAndRefresh,
      scopes: signIn,
      profileClaimsInIdToken: false,
    },
  },
  MACHINE: {
    given: {},
    registered: { ...confidential, grantTypes: ['client_credentials'], scopes: [] },
  },
  DEVICE: {
    given: {},
    registered: { ...publicClient, grantTypes: [deviceCode, 'refresh_token'], scopes: signIn },
  },
  MCP: {
    given: { redirectUris: ['http://127.0.0.1/cb'], resources: ['https://mcp.example/'] },
    registered: {
      ...publicClient,
      applicationType: 'NATIVE',
      grantTypes: codeAndRefresh,
      scopes: ['openid', 'offline_access'],
      resources: ['https://mcp.example/'],
    },
  },
};

test('Every client kind of the GraphQL schema is covered by this file.', async () => {
  const { data } = await asking.ask('{ __type(name: "ClientKind") { enumValues { name } } }', {}, admin);
  expect(data.__type.enumValues.map(({ name }: { name: string }) => name)).toEqual(Object.keys(kinds));
});

test.each(Object.entries(kinds))(
  'A client of kind %s is registered with the defaults of its kind.',
  async (kind, of) => {
    const made = await register({ kind, ...of.given });
    expect(made).toMatchObject({ problems: [], client: of.registered });
    expect(made.clientSecret === null).toBe(made.client.type === 'PUBLIC');
  },
);

test('A given value takes precedence over the default of the client kind.', async () => {
  const { client } = await register({
    kind: 'WEB',
    redirectUris,
    grantTypes: ['authorization_code'],
    scopes: ['openid'],
    tokenEndpointAuthMethod: 'CLIENT_SECRET_POST',
    profileClaimsInIdToken: true,
  });
  expect(client).toMatchObject({
    tokenEndpointAuthMethod: expect.stringMatching(/^client_secret_post$/i),
    grantTypes: ['authorization_code'],
    scopes: ['openid'],
    profileClaimsInIdToken: true,
  });
});

test.each([
  ['SINGLE_PAGE', { redirectUris, tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC' }, 'keep a secret'],
  [
    'NATIVE',
    { redirectUris, tokenEndpointAuthMethod: 'PRIVATE_KEY_JWT', jwks: '{"keys":[]}' },
    'keep a secret',
  ],
  ['MACHINE', { tokenEndpointAuthMethod: 'NONE' }, 'must authenticate'],
  ['MCP', { redirectUris: ['http://127.0.0.1/cb'] }, 'resources'],
  ['WEB', {}, 'redirectUris'],
])('A client of kind %s is rejected when its metadata contradict its kind.', async (kind, given, why) => {
  const { problems } = await register({ kind, ...given });
  expect(problems).toEqual([{ code: 'INVALID_INPUT', message: expect.stringContaining(why) }]);
});

test.each(Object.entries(kinds))(
  'A client of kind %s without the refresh_token grant has no offline_access by default.',
  async (kind, of) => {
    const { grantTypes, scopes } = of.registered as { grantTypes: string[]; scopes: string[] };
    const without = grantTypes.filter((grant) => grant !== 'refresh_token');
    const { client, problems } = await register({ kind, ...of.given, grantTypes: without });
    expect(problems).toEqual([]);
    expect(client).toMatchObject({
      grantTypes: without,
      scopes: scopes.filter((scope) => scope !== 'offline_access'),
    });
  },
);

test.each([
  ['that asks for the profile', { profile: 'FAPI2' }, 'standard'],
  ['of a tenant that requires it', {}, 'fapi2'],
])(
  'A confidential client of each kind %s authenticates with a key by default.',
  async (_who, given, required) => {
    const { sql } = asking.service.deps.database;
    const demand = async (requiredClientProfile: string) => {
      await sql.query('UPDATE auth.tenants SET policy = $1 WHERE id = $2', [
        JSON.stringify({ requiredClientProfile }),
        tenant,
      ]);
      asking.service.deps.tenants.forget(tenant);
    };
    const { publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwks = JSON.stringify({
      keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: 'k' }],
    });
    // Obtained before the change, after which clients without the profile get no tokens.
    const token = await asking.machine('clients:read clients:write');
    await demand(required);
    try {
      for (const [kind, of] of Object.entries(kinds)) {
        const { type } = of.registered as { type: string };
        const { data } = await asking.ask(
          registration,
          { input: { name: 'Of a kind', kind, jwks, ...of.given, ...given } },
          token,
        );
        const { client, problems } = data.registerClient;
        if (type === 'PUBLIC')
          expect(problems).toEqual([{ code: 'INVALID_INPUT', message: expect.any(String) }]);
        else {
          expect([kind, problems, client.type]).toEqual([kind, [], 'CONFIDENTIAL']);
          expect(client.tokenEndpointAuthMethod).toMatch(/^private_key_jwt$/i);
        }
      }
    } finally {
      await demand('standard');
    }
  },
);

test('The default scopes include offline_access only for a client with the refresh_token grant.', async () => {
  expect((await register({ redirectUris })).client.scopes).toEqual(['openid', 'profile', 'email']);
  expect((await register({ redirectUris, grantTypes: codeAndRefresh })).client.scopes).toEqual(signIn);
});

const shown =
  'client { id tokenEndpointAuthMethod codeProtection requirePkce requireNonce } problems { message }';
const asked = async (mutation: 'registerClient' | 'updateClient', input: object) => {
  const type = mutation === 'registerClient' ? 'RegisterClientInput' : 'UpdateClientInput';
  const document = `mutation ($input: ${type}!) { ${mutation}(input: $input) { ${shown} } }`;
  return (await asking.ask(document, { input }, admin)).data[mutation];
};
const web = { kind: 'WEB', name: 'Of a kind', redirectUris };

test('The graph shows CLIENT_SECRET for a client that names no method, and accepts it as input.', async () => {
  const { client } = await asked('registerClient', web);
  expect(client.tokenEndpointAuthMethod).toBe('CLIENT_SECRET');
  for (const tokenEndpointAuthMethod of ['CLIENT_SECRET_POST', 'CLIENT_SECRET', 'CLIENT_SECRET_BASIC']) {
    const changed = await asked('updateClient', { id: client.id, tokenEndpointAuthMethod });
    expect(changed).toMatchObject({ problems: [], client: { tokenEndpointAuthMethod } });
  }
  const unnamed = await asked('updateClient', { id: client.id, tokenEndpointAuthMethod: null });
  expect(unnamed.client.tokenEndpointAuthMethod).toBe('CLIENT_SECRET');
  const single = await asked('registerClient', {
    ...web,
    kind: 'SINGLE_PAGE',
    tokenEndpointAuthMethod: 'CLIENT_SECRET',
  });
  expect(single).toMatchObject({ client: null, problems: [{ message: expect.stringContaining('secret') }] });
});

test("codeProtection sets the protection of a client's codes, and the members that it replaces show the same.", async () => {
  const { client } = await asked('registerClient', web);
  expect(client).toMatchObject({ codeProtection: 'PKCE', requirePkce: true, requireNonce: false });
  const states = {
    PKCE_OR_NONCE: { requirePkce: false, requireNonce: true },
    NONE: { requirePkce: false, requireNonce: false },
    PKCE: { requirePkce: true, requireNonce: false },
  };
  for (const [codeProtection, replaced] of Object.entries(states)) {
    const changed = await asked('updateClient', { id: client.id, codeProtection });
    expect(changed.client).toMatchObject({ codeProtection, ...replaced });
    const renamed = await asked('updateClient', { id: client.id, name: 'Renamed' });
    expect(renamed.client).toMatchObject({ codeProtection, ...replaced });
  }
  await asked('updateClient', { id: client.id, requirePkce: false });
  const none = await asked('updateClient', { id: client.id, codeProtection: null });
  expect(none.client.codeProtection).toBe('PKCE');
  const both = await asked('updateClient', { id: client.id, codeProtection: 'NONE', requirePkce: true });
  expect(both.problems).toEqual([{ message: expect.stringContaining('codeProtection') }]);
  const single = { ...web, kind: 'SINGLE_PAGE', codeProtection: 'PKCE_OR_NONCE' };
  expect((await asked('registerClient', single)).problems).toHaveLength(1);
});
