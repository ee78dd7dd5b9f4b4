import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import {
  type Backend,
  claimsOf,
  createBackend,
  publicClient,
  type RunningAuth,
  register,
  secrets,
  startAuth,
} from '../support/running-auth.ts';

let backend: Backend;
let auth: RunningAuth;
let machine: { id: string; secret: string };
let poster: { id: string; secret: string };
let web: string;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  const machineMetadata = {
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope: 'users:read users:write openid',
    resources: ['https://api.example'],
  };
  const a = await register(auth, { ...machineMetadata, token_endpoint_auth_method: 'client_secret_basic' });
  machine = { id: a.client.clientId, secret: a.clientSecret ?? '' };
  const b = await register(auth, { ...machineMetadata, token_endpoint_auth_method: 'client_secret_post' });
  poster = { id: b.client.clientId, secret: b.clientSecret ?? '' };
  web = (await register(auth, publicClient)).client.clientId;
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

const token = (fields: Parameters<RunningAuth['post']>[1], o?: Parameters<RunningAuth['post']>[2]) =>
  auth.post('/t/demo/token', fields, o);
const credentials = { grant_type: 'client_credentials' };
const basic = () => ({ basic: [machine.id, machine.secret] as const });

describe('client_credentials', () => {
  test('A client_credentials request returns a bearer token that is not cacheable, and no refresh token.', async () => {
    const { status, headers, body } = await token(credentials, basic());
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'users:read users:write',
    });
    const claims = claimsOf(body.access_token);
    expect(claims).toMatchObject({
      iss: auth.issuer('demo'),
      aud: auth.issuer('demo'),
      sub: machine.id,
      client_id: machine.id,
      client_epoch: 0,
    });
    expect(claims).not.toHaveProperty('sid');
  });

  test('A client_credentials request narrows the token to the requested scope.', async () => {
    expect((await token({ ...credentials, scope: 'users:read' }, basic())).body.scope).toBe('users:read');
  });

  test.each([
    ['unknown', 'nonsense:read'],
    ['known but not registered', 'clients:write'],
    ['about a person', 'openid'],
    ['malformed', 'users:read "', 'scope must be a space-separated list of at most 100 scopes.'],
  ])(
    'A scope that is %s is rejected with invalid_scope, which names it.',
    async (_, scope, said = `Scope ${scope} `) => {
      expect(await token({ ...credentials, scope }, basic())).toMatchObject({
        status: 400,
        body: { error: 'invalid_scope', error_description: expect.stringContaining(said) },
      });
    },
  );

  test('A registered resource becomes the audience, and any other resource returns invalid_target.', async () => {
    const granted = await token({ ...credentials, resource: 'https://api.example' }, basic());
    expect(claimsOf(granted.body.access_token).aud).toBe('https://api.example');
    // An empty path is equal with and without a slash (RFC 3986 §6.2.3); the audience is the registered form.
    const slash = await token({ ...credentials, resource: 'https://api.example/' }, basic());
    expect(claimsOf(slash.body.access_token).aud).toBe('https://api.example');
    for (const resource of [
      'https://other.example',
      'https://api.example/orders',
      'https://api.example//',
      'not a uri',
      'https://api.example#x',
      'urn:ostiary:service:directory',
    ]) {
      expect((await token({ ...credentials, resource }, basic())).body.error).toBe('invalid_target');
    }
  });

  test('A public client is rejected with unauthorized_client.', async () => {
    expect(await token({ ...credentials, client_id: web })).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    });
  });
});

describe('error table of the token endpoint', () => {
  const invalidRequests: [string, string, string?][] = [
    ['grant_type is absent', 'scope=users%3Aread'],
    ['grant_type is empty', 'grant_type='],
    ['a parameter is repeated', 'grant_type=client_credentials&grant_type=client_credentials'],
    ['scope is repeated', 'grant_type=client_credentials&scope=users%3Aread&scope=users%3Aread'],
    ['client_id is repeated', 'grant_type=client_credentials&client_id=a&client_id=a'],
    ['percent encoding is broken', 'grant_type=client_credentials&scope=%zz'],
    ['it isn’t UTF-8', 'grant_type=client_credentials&scope=%ff%fe'],
    ['it holds a lone surrogate', 'grant_type=client_credentials&scope=%ED%A0%80'],
    ['it holds a NUL', 'grant_type=client_credentials&scope=users%3Aread%00'],
    ['scope is a megabyte long', `grant_type=client_credentials&scope=${'a'.repeat(1_048_576)}`],
    ['scope is too long', `grant_type=client_credentials&scope=${'a'.repeat(5_000)}`],
    ['a parameter nobody knows is too long', `grant_type=client_credentials&x=${'a'.repeat(5_000)}`],
    ['there are too many parameters', `grant_type=client_credentials&${'a=1&'.repeat(500)}`],
    ['the body is JSON', '{"grant_type":"client_credentials"}', 'application/json'],
    ['the body is broken JSON', '{"grant_type":', 'application/json'],
    ['the body is text', 'grant_type=client_credentials', 'text/plain'],
    ['the body is multipart', 'grant_type=client_credentials', 'multipart/form-data; boundary=x'],
    ['the content type is nonsense', 'grant_type=client_credentials', 'nonsense'],
    ['the body is empty', ''],
  ];
  test.each(
    invalidRequests.map(([when, body, type = 'application/x-www-form-urlencoded']) => ({ when, body, type })),
  )('When $when, the token endpoint returns invalid_request.', async ({ body, type }) => {
    const answer = await token(body, { ...basic(), headers: { 'content-type': type } });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.any(String) },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('The token endpoint returns invalid_request for a request without any body.', async () => {
    const response = await fetch(`${auth.origin}/t/demo/token`, { method: 'POST' });
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([
      400,
      'invalid_request',
    ]);
  });

  test.each(['password', 'Client_Credentials', 'implicit', '__proto__'])(
    'The token endpoint returns unsupported_grant_type for %s before it checks anything else.',
    async (grant_type) => {
      expect(await token({ grant_type, username: 'a', password: 'b' })).toMatchObject({
        status: 400,
        body: { error: 'unsupported_grant_type' },
      });
      expect((await token({ grant_type }, basic())).body.error).toBe('unsupported_grant_type');
    },
  );

  test('A grant type that the client is not registered for returns unauthorized_client.', async () => {
    const body = { grant_type: 'authorization_code', code: 'x', code_verifier: 'y' };
    expect(await token(body, basic())).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
  });

  test('GET receives 405 with an Allow header.', async () => {
    const answer = await auth.get('/t/demo/token');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toContain('POST');
  });

  test('An unknown or impossible tenant receives 404.', async () => {
    for (const tenant of ['nobody', 'UPPER', 'a%2Fb', '-x']) {
      expect((await auth.post(`/t/${tenant}/token`, credentials, basic())).status).toBe(404);
    }
  });
});

describe('client authentication', () => {
  const refused = {
    status: 401,
    body: {
      error: 'invalid_client',
      error_description: expect.stringMatching(/^Client authentication failed/),
    },
  };

  test('The parts of a Basic header are form-decoded.', async () => {
    const authorization = `Basic ${Buffer.from(`${machine.id}:${machine.secret.replace('_', '%5F')}`).toString('base64')}`;
    expect((await token(credentials, { headers: { authorization } })).status).toBe(200);
  });

  test('A client authenticates with client_secret_post.', async () => {
    expect((await token({ ...credentials, client_id: poster.id, client_secret: poster.secret })).status).toBe(
      200,
    );
  });

  test.each<[string, () => Parameters<typeof token>]>([
    ['a wrong secret', () => [credentials, { basic: [machine.id, `${machine.secret}x`] }]],
    ['a truncated secret', () => [credentials, { basic: [machine.id, machine.secret.slice(0, -1)] }]],
    ['another client’s secret', () => [credentials, { basic: [machine.id, poster.secret] }]],
    ['an unknown client', () => [credentials, { basic: ['nobody', machine.secret] }]],
    ['a client id with a NUL', () => [credentials, { basic: ['no\0body', machine.secret] }]],
    ['Basic by a client registered for post', () => [credentials, { basic: [poster.id, poster.secret] }]],
    [
      'broken percent encoding',
      () => [
        credentials,
        { headers: { authorization: `Basic ${Buffer.from('a%zz:b').toString('base64')}` } },
      ],
    ],
    [
      'no colon',
      () => [credentials, { headers: { authorization: `Basic ${Buffer.from('abc').toString('base64')}` } }],
    ],
    ['a header that isn’t Base64', () => [credentials, { headers: { authorization: 'Basic !!!' } }]],
    ['Basic by a public client', () => [credentials, { basic: [web, 'x'] }]],
    ['Bearer', () => [credentials, { headers: { authorization: 'Bearer x' } }]],
  ])(
    'A request with %s is rejected as invalid_client, with 401 and a Basic challenge.',
    async (_, request) => {
      const answer = await token(...request());
      expect(answer).toMatchObject(refused);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  test.each<[string, () => Parameters<typeof token>]>([
    [
      'post by a client registered for Basic',
      () => [{ ...credentials, client_id: machine.id, client_secret: machine.secret }],
    ],
    ['a wrong secret in the body', () => [{ ...credentials, client_id: poster.id, client_secret: 'x' }]],
    ['a confidential client without a secret', () => [{ ...credentials, client_id: machine.id }]],
    ['a secret from a public client', () => [{ ...credentials, client_id: web, client_secret: 'x' }]],
    ['no identification at all', () => [credentials]],
    ['a client assertion', () => [{ ...credentials, client_assertion: 'x', client_assertion_type: 'y' }]],
  ])('A request with %s is rejected as invalid_client without a challenge.', async (_, request) => {
    const answer = await token(...request());
    expect(answer).toMatchObject(refused);
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  test('Two authentication methods in one request return invalid_request.', async () => {
    expect(
      await token({ ...credentials, client_id: machine.id, client_secret: machine.secret }, basic()),
    ).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect((await token({ ...credentials, client_id: poster.id }, basic())).body.error).toBe(
      'invalid_request',
    );
    expect((await token({ ...credentials, client_id: machine.id }, basic())).status).toBe(200);
  });

  test('A client of another tenant does not exist in this tenant.', async () => {
    const rival = await register(auth, { grant_types: ['client_credentials'], redirect_uris: [] }, 'rival');
    const rivalBasic = { basic: [rival.client.clientId, rival.clientSecret ?? ''] as const };
    expect((await auth.post('/t/rival/token', credentials, rivalBasic)).status).toBe(200);
    expect(await token(credentials, rivalBasic)).toMatchObject(refused);
  });

  test('Two secrets are valid during a rotation; without overlap the old one ends immediately.', async () => {
    const { client, clientSecret: first = '' } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
    });
    const works = async (secret: string) =>
      (await token(credentials, { basic: [client.clientId, secret] })).status === 200;
    const second = (await auth.deps.clientRegistry.rotateSecret('demo', client.clientId))?.clientSecret ?? '';
    expect([await works(first), await works(second)]).toEqual([true, true]);
    const third = (await auth.deps.clientRegistry.rotateSecret('demo', client.clientId))?.clientSecret ?? '';
    expect([await works(first), await works(second), await works(third)]).toEqual([false, true, true]);
    const fourth =
      (await auth.deps.clientRegistry.rotateSecret('demo', client.clientId, { overlapSeconds: 0 }))
        ?.clientSecret ?? '';
    expect([await works(second), await works(third), await works(fourth)]).toEqual([false, false, true]);
    const live = await auth.database.sql.query(
      'SELECT 1 FROM auth.client_secrets WHERE client_id = $1 AND (expires_at IS NULL OR expires_at > now())',
      [client.clientId],
    );
    expect(live.rowCount).toBe(1);
  });

  test('Rotating the secret of a public client is rejected, and of a client of another tenant has no effect.', async () => {
    await expect(auth.deps.clientRegistry.rotateSecret('demo', web)).rejects.toMatchObject({
      code: 'invalid_client_metadata',
    });
    expect(await auth.deps.clientRegistry.rotateSecret('rival', machine.id)).toBeNull();
  });

  test('A disabled client is rejected immediately in every process, and its tokens are inactive.', async () => {
    const other = await startAuth(backend, { publicOrigin: auth.origin });
    try {
      const { client, clientSecret = '' } = await register(auth, {
        grant_types: ['client_credentials'],
        redirect_uris: [],
      });
      const own = { basic: [client.clientId, clientSecret] as const };
      const before = await other.post('/t/demo/token', credentials, own);
      expect(before.status).toBe(200);
      expect(await auth.deps.clientRegistry.disable('demo', client.clientId)).toBe(true);
      expect(await token(credentials, own)).toMatchObject(refused);
      await eventually(async () => (await other.post('/t/demo/token', credentials, own)).status === 401);
      const introspected = await auth.post(
        '/t/demo/introspect',
        { token: String(before.body.access_token) },
        basic(),
      );
      expect(introspected.body).toEqual({ active: false });
    } finally {
      await other.stop();
    }
  });
});

describe('service clients of the platform', () => {
  const at = (id: keyof typeof secrets, resource?: string, secret = secrets[id]) =>
    auth.post('/t/platform/token', { ...credentials, resource }, { basic: [id, secret] });

  test('A service client gets tokens for the services that it may call.', async () => {
    const answer = await at('provisioning', 'urn:ostiary:service:directory');
    expect(answer.status).toBe(200);
    expect(claimsOf(answer.body.access_token)).toMatchObject({
      iss: auth.issuer('platform'),
      aud: 'urn:ostiary:service:directory',
      sub: 'provisioning',
    });
    expect((await at('operator', 'urn:ostiary:service:provisioning')).status).toBe(200);
  });

  test('A service client gets no tokens for other services or tenants.', async () => {
    expect((await at('gateway', 'urn:ostiary:service:directory')).body.error).toBe('invalid_target');
    expect((await at('directory', 'urn:ostiary:service:auth', 'x'.repeat(20))).body.error).toBe(
      'invalid_client',
    );
    expect(
      (await auth.post('/t/demo/token', credentials, { basic: ['operator', secrets.operator] })).status,
    ).toBe(401);
  });

  test('This service calls the directory with a token that it issues itself.', async () => {
    const authorization = backend.directory.authorizations.find((value) => value.startsWith('Bearer ')) ?? '';
    expect(claimsOf(authorization.slice(7))).toMatchObject({
      sub: 'auth',
      aud: 'urn:ostiary:service:directory',
    });
  });

  test('The operator registers clients, and other services are rejected.', async () => {
    const token = (await at('operator', 'urn:ostiary:service:auth')).body.access_token;
    const send = (bearer: unknown, body: unknown, tenant = 'demo') =>
      fetch(`${auth.origin}/internal/v1/tenants/${tenant}/clients`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const metadata = {
      client_id: 'chosen',
      client_name: 'Chosen',
      grant_types: ['client_credentials'],
      scope: 'users:read',
    };
    const created = await send(token, metadata);
    const body = (await created.json()) as Record<string, string>;
    expect(created.status).toBe(201);
    expect(body).toMatchObject({
      client_id: 'chosen',
      client_secret: expect.any(String),
      scope: 'users:read',
    });
    expect(
      (await auth.post('/t/demo/token', credentials, { basic: ['chosen', body.client_secret ?? ''] })).status,
    ).toBe(200);
    expect((await send(token, metadata)).status).toBe(400);
    expect((await send(token, metadata, 'nobody')).status).toBe(404);
    for (const bad of [null, [], 'x', {}, { client_name: 1 }, { client_name: 'x', redirect_uris: 'x' }]) {
      expect((await send(token, bad)).status).toBe(400);
    }
    const provisioning = (await at('provisioning', 'urn:ostiary:service:auth')).body.access_token;
    expect((await send(provisioning, metadata)).status).toBe(403);
    const admin = (await auth.post('/t/demo/token', credentials, basic())).body.access_token;
    expect((await send(admin, metadata)).status).toBe(401);
    expect((await send('', metadata)).status).toBeGreaterThanOrEqual(400);
  });
});
