import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Backend,
  createBackend,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  startAuth,
} from '../support/running-auth.ts';

// RFC 7662 §2.2 and §4: each kind of client introspects each kind of token.

const accept = 'application/token-introspection+jwt';
const orders = 'https://orders.example/v1';
const inactive = { active: false };

let backend: Backend;
let auth: RunningAuth;
let tokens: Record<string, string>;
let callers: Record<string, readonly [string, string]>;
let rival: readonly [string, string];

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  const robot = { grant_types: ['client_credentials'], redirect_uris: [], resources: [orders] };
  const made = async (metadata: object = {}, tenant = 'demo') => {
    const { client, clientSecret } = await register(auth, { ...robot, ...metadata }, tenant);
    return [client.clientId, clientSecret ?? ''] as const;
  };
  callers = {
    'the client of the app’s tokens': await made({ scope: 'users:read' }),
    'a client of no resource': await made({ scope: 'users:read' }),
    'the server of the tenant’s API': await made({ protected_resources: ['urn:ostiary:tenant-api'] }),
    'the server of the orders': await made({ protected_resources: [orders] }),
    'the server of nearly the orders': await made({
      protected_resources: [`${orders}/`, 'https://orders.example'],
    }),
  };
  rival = await made({ protected_resources: ['urn:ostiary:tenant-api', orders] }, 'rival');
  const app = callers['the client of the app’s tokens'] as readonly [string, string];
  const web = (await register(auth, { ...publicClient, resources: [orders] })).client.clientId;
  const ofApp = async (fields: Record<string, string> = {}) =>
    String(
      (await auth.post('/t/demo/token', { grant_type: 'client_credentials', ...fields }, { basic: app })).body
        .access_token,
    );
  const ofUser = async (o: Parameters<typeof issueCode>[2]) =>
    String((await auth.post('/t/demo/token', (await issueCode(auth, web, o)).form)).body.access_token);
  tokens = {
    'app’s for the tenant’s API': await ofApp(),
    'app’s for SCIM': await ofApp({ resource: `${auth.issuer('demo')}/scim/v2` }),
    'app’s for the orders': await ofApp({ resource: orders }),
    'person’s for the tenant’s API': await ofUser({}),
    'person’s for the orders': await ofUser({ resources: [orders] }),
  };
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

const activeFor: Record<string, Record<string, boolean>> = {
  'the client of the app’s tokens': {
    'app’s for the tenant’s API': true,
    'app’s for SCIM': true,
    'app’s for the orders': true,
  },
  'a client of no resource': {},
  'the server of the tenant’s API': {
    'app’s for the tenant’s API': true,
    'app’s for SCIM': true,
    'person’s for the tenant’s API': true,
  },
  'the server of the orders': { 'app’s for the orders': true, 'person’s for the orders': true },
  'the server of nearly the orders': {},
};

describe.each(Object.keys(activeFor))('%s', (caller) => {
  test('The caller sees as active only the tokens that are its own or meant for it.', async () => {
    const basic = callers[caller] as readonly [string, string];
    const seen: Record<string, boolean> = {};
    for (const [name, token] of Object.entries(tokens)) {
      const { body } = await auth.post('/t/demo/introspect', { token }, { basic });
      if (body.active === true) seen[name] = true;
      else expect(body).toEqual(inactive);
      const signed = await auth.post('/t/demo/introspect', { token }, { basic, headers: { accept } });
      const [, payload = ''] = String(signed.body.text).split('.');
      const { token_introspection: inside } = JSON.parse(Buffer.from(payload, 'base64url').toString());
      expect(inside).toEqual(body);
    }
    expect(seen).toEqual(activeFor[caller]);
  });
});

test('Any client can introspect every access token where the tenant allows it; signed responses do not change.', async () => {
  const basic = callers['a client of no resource'] as readonly [string, string];
  const policy = async (allowed: boolean) => {
    await auth.database.sql.query('UPDATE auth.tenants SET policy = $2::jsonb WHERE id = $1', [
      'demo',
      JSON.stringify({ introspectionByAnyClient: allowed }),
    ]);
    auth.deps.tenants.forget('demo');
  };
  await auth.post('/t/demo/introspect', { token: 'x' }, { basic });
  await policy(true);
  for (const token of Object.values(tokens)) {
    expect((await auth.post('/t/demo/introspect', { token }, { basic })).body.active).toBe(true);
    const signed = await auth.post('/t/demo/introspect', { token }, { basic, headers: { accept } });
    const [, payload = ''] = String(signed.body.text).split('.');
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).token_introspection).toEqual(inactive);
    expect((await auth.post('/t/rival/introspect', { token }, { basic: rival })).body).toEqual(inactive);
  }
  await policy(false);
  for (const token of Object.values(tokens))
    expect((await auth.post('/t/demo/introspect', { token }, { basic })).body).toEqual(inactive);
});

test('A resource server of another tenant gets no information.', async () => {
  for (const token of Object.values(tokens)) {
    expect((await auth.post('/t/rival/introspect', { token }, { basic: rival })).body).toEqual(inactive);
    expect((await auth.post('/t/demo/introspect', { token }, { basic: rival })).status).toBe(401);
  }
});

test('A resource server is registered only by an administrator, and never as a public client.', async () => {
  await expect(register(auth, { ...publicClient, protected_resources: [orders] })).rejects.toThrow(
    'protected_resources',
  );
  for (const wrong of ['not a URI', `${orders}#fragment`, 'urn:ostiary:service:auth', '/relative'])
    await expect(
      register(auth, {
        grant_types: ['client_credentials'],
        redirect_uris: [],
        protected_resources: [wrong],
      }),
    ).rejects.toThrow('protected_resources');
});
