import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { usualScopes } from '../src/domain/dynamic-registration.ts';
import { accessTokenType, exchangeGrant } from './assertions.ts';
import {
  type Backend,
  basicHeader,
  claimsOf,
  createBackend,
  issueCode,
  type RunningAuth,
  register,
  startAuth,
} from './running-auth.ts';

/**
 * What arrives when a client is broken or somebody tries things out, one kind of it a test, at every endpoint that
 * takes it. The answer is the error that the tables name, never a 500, and never a redirect to an address that isn't
 * registered.
 */
let backend: Backend;
let auth: RunningAuth;
let basic: string;
let initialAccessToken: string;

const redirectUri = 'https://app.example/cb';
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend, { env: { DEVICE_REQUESTS_PER_MINUTE: '1000' } });
  const { client, clientSecret = '' } = await register(auth, {
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant, exchangeGrant],
    redirect_uris: [redirectUri, 'https://app.example/other'],
    scope: 'openid profile offline_access users:read',
  });
  basic = basicHeader(client.clientId, clientSecret);
  requests.authorize = requests.authorize.map(([name, value]) => [
    name,
    name === 'client_id' ? client.clientId : value,
  ]);
  initialAccessToken = (
    await auth.deps.registrations.createToken('demo', {
      name: 'tests',
      scopes: usualScopes,
      uses: 100,
      lifetimeSeconds: 600,
    })
  ).token;
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

type Pairs = (readonly [string, string])[];
type Endpoint = 'token' | 'device_authorization' | 'par' | 'introspect' | 'revoke' | 'authorize';

const authorization: Pairs = [
  ['response_type', 'code'],
  ['redirect_uri', redirectUri],
  ['scope', 'openid'],
  ['state', 'the-state'],
  ['code_challenge', 'a'.repeat(43)],
  ['code_challenge_method', 'S256'],
];

/** A good request for each endpoint. */
const requests: Record<Endpoint, Pairs> = {
  token: [
    ['grant_type', 'client_credentials'],
    ['scope', 'users:read'],
  ],
  device_authorization: [['scope', 'openid']],
  par: authorization,
  introspect: [['token', 'a-token']],
  revoke: [['token', 'a-token']],
  authorize: [['client_id', ''], ...authorization],
};

/** What an endpoint can't do without. */
const needed: Record<Endpoint, readonly string[]> = {
  token: ['grant_type'],
  device_authorization: [],
  par: ['response_type', 'redirect_uri', 'code_challenge'],
  introspect: ['token'],
  revoke: ['token'],
  authorize: ['response_type', 'code_challenge'],
};

const endpoints = Object.keys(requests) as Endpoint[];
const text = (pairs: Pairs): string =>
  pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

interface Outcome {
  status: number;
  error: unknown;
}

/** Sends a request, and makes sure of what holds for every answer. */
async function send(
  endpoint: Endpoint,
  form: string,
  contentType = 'application/x-www-form-urlencoded',
): Promise<Outcome> {
  const response =
    endpoint === 'authorize'
      ? await fetch(`${auth.origin}/t/demo/authorize?${form}`, { redirect: 'manual' })
      : await fetch(`${auth.origin}/t/demo/${endpoint}`, {
          method: 'POST',
          headers: { authorization: basic, 'content-type': contentType },
          body: form,
        });
  expect(response.status).toBeLessThan(500);
  const location = response.headers.get('location');
  if (location !== null) {
    const target = new URL(location, auth.origin);
    expect([auth.origin, new URL(redirectUri).origin]).toContain(target.origin);
    // An error goes to the registered address, by the parameters of the table.
    if (target.origin !== auth.origin) expect(`${target.origin}${target.pathname}`).toBe(redirectUri);
    return { status: response.status, error: target.searchParams.get('error') ?? undefined };
  }
  const body = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return { status: response.status, error: isJson && body !== '' ? JSON.parse(body).error : undefined };
}

/** invalid_request in the form of the endpoint: in JSON, by redirect, or on a page where nobody may be sent anywhere. */
function expectInvalid(endpoint: Endpoint, outcome: Outcome): void {
  if (endpoint !== 'authorize') expect(outcome).toEqual({ status: 400, error: 'invalid_request' });
  else if (outcome.status === 303) expect(outcome.error).toBe('invalid_request');
  else expect(outcome).toEqual({ status: 400, error: undefined });
}

const without = (endpoint: Endpoint, name: string): Pairs =>
  requests[endpoint].filter(([one]) => one !== name);
const changed = (endpoint: Endpoint, name: string, raw: string): string =>
  `${text(without(endpoint, name))}&${name}=${raw}`;

describe('a request with', () => {
  test('nothing wrong is answered, or the rest here would prove nothing', async () => {
    const statuses: Record<string, number> = {};
    for (const endpoint of endpoints)
      statuses[endpoint] = (await send(endpoint, text(requests[endpoint]))).status;
    expect(statuses).toEqual({
      token: 200,
      device_authorization: 200,
      par: 201,
      introspect: 200,
      revoke: 200,
      authorize: 303,
    });
  });

  test('a duplicate parameter: invalid_request', async () => {
    for (const endpoint of endpoints) {
      for (const [name, value] of requests[endpoint]) {
        for (const second of [value, 'another']) {
          const form = `${text(requests[endpoint])}&${name}=${encodeURIComponent(second)}`;
          expectInvalid(endpoint, await send(endpoint, form));
        }
      }
    }
  });

  test('a missing parameter: invalid_request', async () => {
    for (const endpoint of endpoints) {
      for (const name of needed[endpoint]) {
        expectInvalid(endpoint, await send(endpoint, text(without(endpoint, name))));
      }
    }
    // Several are registered, and nobody may guess which was meant.
    for (const name of ['client_id', 'redirect_uri']) {
      expect(await send('authorize', text(without('authorize', name)))).toEqual({
        status: 400,
        error: undefined,
      });
    }
  });

  test('an empty parameter: as if it were missing (RFC 6749 §3.1, §3.2)', async () => {
    for (const endpoint of endpoints) {
      for (const name of needed[endpoint]) {
        expectInvalid(endpoint, await send(endpoint, changed(endpoint, name, '')));
      }
    }
    for (const endpoint of ['token', 'par', 'introspect', 'revoke'] as const) {
      expectInvalid(endpoint, await send(endpoint, ''));
    }
  });

  test('an oversized parameter: invalid_request', async () => {
    for (const endpoint of endpoints) {
      for (const [name] of requests[endpoint]) {
        // What a server on the way takes at most as an address is less than what it takes as a body.
        const outcome = await send(
          endpoint,
          changed(endpoint, name, 'a'.repeat(endpoint === 'authorize' ? 12_000 : 100_000)),
        );
        if (outcome.status !== 414 && outcome.status !== 431) expectInvalid(endpoint, outcome);
      }
    }
  });

  test('a wrongly encoded parameter: invalid_request', async () => {
    for (const endpoint of endpoints) {
      const name = requests[endpoint].at(-1)?.[0] ?? '';
      for (const raw of ['%', '%z1', '%ff%fe', '%c0%af', '%C3']) {
        expectInvalid(endpoint, await send(endpoint, changed(endpoint, name, raw)));
      }
    }
  });

  test('a NUL: invalid_request', async () => {
    for (const endpoint of endpoints) {
      for (const [name, value] of requests[endpoint]) {
        expectInvalid(endpoint, await send(endpoint, changed(endpoint, name, `${value}%00`)));
      }
    }
  });

  test('a lone surrogate: invalid_request', async () => {
    for (const endpoint of endpoints) {
      for (const [name] of requests[endpoint]) {
        for (const raw of ['%ED%A0%80', '%ED%BF%BF', 'a%ED%A0%BDb']) {
          expectInvalid(endpoint, await send(endpoint, changed(endpoint, name, raw)));
        }
      }
    }
  });

  test('a megabyte of scope: invalid_request', async () => {
    for (const endpoint of ['token', 'device_authorization', 'par'] as const) {
      for (const scope of ['a'.repeat(1_048_576), 'openid+'.repeat(150_000)]) {
        expectInvalid(endpoint, await send(endpoint, changed(endpoint, 'scope', scope)));
      }
    }
  });

  test('a JSON body: invalid_request', async () => {
    for (const endpoint of endpoints.filter((one) => one !== 'authorize')) {
      const body = JSON.stringify(Object.fromEntries(requests[endpoint]));
      for (const type of ['application/json', 'application/json; charset=utf-8', 'application/jwt']) {
        expectInvalid(endpoint, await send(endpoint, body, type));
      }
    }
  });

  test('a wrong content type: invalid_request', async () => {
    for (const endpoint of endpoints.filter((one) => one !== 'authorize')) {
      for (const type of [
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/xml',
        'nonsense',
        '',
      ]) {
        expectInvalid(endpoint, await send(endpoint, text(requests[endpoint]), type));
      }
    }
  });
});

describe('a registration (JSON) with', () => {
  const metadata = { client_name: 'Notes', redirect_uris: [redirectUri] };
  const post = async (body: string | Buffer<ArrayBuffer>, type = 'application/json'): Promise<Outcome> => {
    const response = await fetch(`${auth.origin}/t/demo/register`, {
      method: 'POST',
      headers: { authorization: `Bearer ${initialAccessToken}`, 'content-type': type },
      body,
    });
    return { status: response.status, error: ((await response.json()) as { error?: unknown }).error };
  };
  const json = 'application/json';
  const invalid = { status: 400, error: 'invalid_client_metadata' };

  test.each<[string, string | Buffer<ArrayBuffer>, string]>([
    ['a form body', 'client_name=Notes', 'application/x-www-form-urlencoded'],
    ['broken JSON', '{"client_name":', json],
    ['a list', '[]', json],
    ['a string', '"x"', json],
    ['null', 'null', json],
    ['bytes that are no UTF-8', Buffer.from('{"client_name":"\xff"}', 'latin1'), json],
    ['a NUL in the name', JSON.stringify({ ...metadata, client_name: 'a\0b' }), json],
    [
      'a lone surrogate in the name',
      '{"client_name":"a\\ud800","redirect_uris":["https://app.example/cb"]}',
      json,
    ],
    ['a number for a name', JSON.stringify({ ...metadata, client_name: 7 }), json],
    ['an object for a list', JSON.stringify({ ...metadata, grant_types: {} }), json],
    ['an oversized name', JSON.stringify({ ...metadata, client_name: 'a'.repeat(100_000) }), json],
    ['a huge scope', JSON.stringify({ ...metadata, scope: 'openid '.repeat(20_000) }), json],
  ])('%s: invalid_client_metadata', async (_name, body, type) => {
    expect(await post(body, type)).toEqual(invalid);
  });

  test('a megabyte of scope is not even read', async () => {
    const { status } = await post(JSON.stringify({ ...metadata, scope: 'a'.repeat(1_048_576) }));
    expect([400, 413]).toContain(status);
  });

  test('__proto__ and constructor changes nothing but the request', async () => {
    const body =
      '{"client_name":"N","redirect_uris":["https://app.example/cb"],"__proto__":{"require_consent":false}}';
    expect((await post(body)).status).toBe(201);
    expect(({} as Record<string, unknown>).require_consent).toBeUndefined();
  });
});

describe('a token that is', () => {
  interface Tokens {
    access: string;
    id: string;
    refresh: string;
    foreign: string;
  }
  let given: Tokens;

  /** What a person's sign-in gave to a client of a tenant. */
  const signIn = async (tenant: string) => {
    const { client } = await register(
      auth,
      {
        token_endpoint_auth_method: 'none',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
      tenant,
    );
    const { form } = await issueCode(auth, client.clientId, { tenant });
    return (await auth.post(`/t/${tenant}/token`, form)).body;
  };

  beforeAll(async () => {
    const [own, other] = [await signIn('demo'), await signIn('rival')];
    given = {
      access: String(own.access_token),
      id: String(own.id_token),
      refresh: String(own.refresh_token),
      foreign: String(other.access_token),
    };
  });

  /** What each door says to a token. */
  async function atEveryDoor(token: string): Promise<Record<string, unknown>> {
    const bearer = { authorization: `Bearer ${token}` };
    const userinfo = await auth.get('/t/demo/userinfo', bearer);
    const inForm = await auth.post('/t/demo/userinfo', { access_token: token });
    const introspected = await auth.post(
      '/t/demo/introspect',
      { token },
      { headers: { authorization: basic } },
    );
    const exchanged = await auth.post(
      '/t/demo/token',
      { grant_type: exchangeGrant, subject_token: token, subject_token_type: accessTokenType },
      { headers: { authorization: basic } },
    );
    const graph = await fetch(`${auth.origin}/graphql`, {
      method: 'POST',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ clients(first: 1) { totalCount } }' }),
    });
    const rest = await auth.get('/internal/v1/revocations', bearer);
    return {
      userinfo: [userinfo.status, /error="(\w+)"/.exec(userinfo.headers.get('www-authenticate') ?? '')?.[1]],
      'userinfo by form': inForm.status,
      introspection: introspected.body,
      'token exchange': [exchanged.status, exchanged.body.error],
      graph: graph.status,
      'internal REST': rest.status,
    };
  }

  const refused = {
    userinfo: [401, 'invalid_token'],
    'userinfo by form': 401,
    introspection: { active: false },
    'token exchange': [400, 'invalid_request'],
    graph: 401,
    'internal REST': 401,
  };

  const header = () => JSON.parse(Buffer.from(given.access.split('.')[0] ?? '', 'base64url').toString());

  test('good opens userinfo, or the rest here would prove nothing', async () => {
    expect(await atEveryDoor(given.access)).toMatchObject({
      userinfo: [200, undefined],
      introspection: { active: true },
    });
  });

  test('forged: signed by a key of somebody else under our key’s id', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const forged = (more: object) =>
      new SignJWT(claimsOf(given.access))
        .setProtectedHeader({ ...header(), alg: 'ES256', ...more })
        .sign(privateKey);
    expect(await atEveryDoor(await forged({}))).toEqual(refused);
    // Bringing the key along, or saying where it is, changes nothing.
    expect(await atEveryDoor(await forged({ jwk: await exportJWK(publicKey) }))).toEqual(refused);
    expect(await atEveryDoor(await forged({ jku: 'https://evil.example/jwks' }))).toEqual(refused);
    expect(await atEveryDoor(await forged({ kid: '../../../dev/null' }))).toEqual(refused);
  });

  test('forged: with other claims under our signature', async () => {
    const [head, , signature] = given.access.split('.');
    const claims = { ...claimsOf(given.access), scope: 'openid users:write', exp: 4_000_000_000 };
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    expect(await atEveryDoor(`${head}.${payload}.${signature}`)).toEqual(refused);
  });

  test('truncated', async () => {
    const [head, payload] = given.access.split('.');
    for (const token of [
      given.access.slice(0, -1),
      given.access.slice(0, -20),
      given.access.slice(0, 40),
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${head}`,
    ]) {
      expect(await atEveryDoor(token)).toEqual(refused);
    }
  });

  test('of a foreign tenant', async () => {
    const answers = await atEveryDoor(given.foreign);
    // The graph serves all tenants: there it is a token, but of somebody without these scopes.
    expect(answers).toEqual({ ...refused, graph: expect.any(Number) });
    expect((await auth.get('/t/rival/userinfo', { authorization: `Bearer ${given.foreign}` })).status).toBe(
      200,
    );
  });

  test('of the wrong typ: an ID token, a refresh token, an initial access token', async () => {
    for (const token of [given.id, initialAccessToken]) expect(await atEveryDoor(token)).toEqual(refused);
    const answers = await atEveryDoor(given.refresh);
    // Introspection is for refresh tokens too, but only of one’s own.
    expect(answers).toEqual(refused);
  });

  test('of the wrong alg: none, a MAC with our public key, another algorithm’s name', async () => {
    const claims = claimsOf(given.access);
    const { keys } = (await auth.get('/t/demo/jwks')).body as { keys: { kid: string; n?: string }[] };
    const [head, payload, signature] = given.access.split('.');
    const secrets = [
      JSON.stringify(keys.find(({ kid }) => kid === header().kid)),
      keys.find(({ n }) => n)?.n ?? '',
    ];
    const relabelled = Buffer.from(JSON.stringify({ ...header(), alg: 'RS256' })).toString('base64url');
    const tokens = [
      new UnsecuredJWT(claims).encode(),
      `${Buffer.from(JSON.stringify({ ...header(), alg: 'none' })).toString('base64url')}.${payload}.${signature}`,
      `${relabelled}.${payload}.${signature}`,
      ...(await Promise.all(
        secrets.map((secret) =>
          new SignJWT(claims)
            .setProtectedHeader({ ...header(), alg: 'HS256' })
            .sign(Buffer.from(secret.padEnd(32, '='))),
        ),
      )),
    ];
    expect(head).toBeDefined();
    for (const token of tokens) expect(await atEveryDoor(token)).toEqual(refused);
  });

  test('presented in the query, or in two places: 400 invalid_request', async () => {
    const doors: [string, RequestInit][] = [
      ['/t/demo/userinfo', {}],
      ['/t/demo/userinfo', { method: 'POST', body: new URLSearchParams() }],
      ['/t/demo/personal-access-tokens', {}],
      ['/t/demo/register/x', {}],
      [
        '/graphql',
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: '{ me { id } }' }),
        },
      ],
      ['/internal/v1/revocations', {}],
    ];
    for (const [path, init] of doors) {
      const url = `${auth.origin}${path}?access_token=${given.access}`;
      const both = { ...init, headers: { ...init.headers, authorization: `Bearer ${given.access}` } };
      for (const request of [init, both]) {
        const response = await fetch(url, request);
        expect([path, response.status]).toEqual([path, 400]);
        expect(response.headers.get('www-authenticate')).toContain('error="invalid_request"');
      }
    }
    const twice = await auth.post(
      '/t/demo/userinfo',
      { access_token: given.access },
      { headers: { authorization: `Bearer ${given.access}` } },
    );
    expect(twice.status).toBe(400);
    expect(twice.headers.get('www-authenticate')).toContain('error="invalid_request"');
  });

  test('malformed: NUL, lone surrogates, a megabyte, nothing', async () => {
    for (const token of ['a.b.c', '..', 'é', '"', `${'a'.repeat(7_000)}.b.c`]) {
      const introspected = await auth.post(
        '/t/demo/introspect',
        { token },
        { headers: { authorization: basic } },
      );
      expect(introspected.body).toEqual({ active: false });
      const encoded = await auth.post('/t/demo/userinfo', { access_token: token });
      expect([400, 401]).toContain(encoded.status);
    }
    for (const raw of ['%00', '%ED%A0%80', 'a'.repeat(1_048_576)]) {
      const posted = await auth.post('/t/demo/introspect', `token=${raw}`, {
        headers: { authorization: basic },
      });
      expect([posted.status, posted.body.error]).toEqual([400, 'invalid_request']);
      const presented = await auth.post('/t/demo/userinfo', `access_token=${raw}`);
      expect([400, 401]).toContain(presented.status);
    }
  });
});
