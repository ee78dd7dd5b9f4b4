import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { neighbourHeader } from '@ostiary/service';
import { testNeighbours } from '@ostiary/service/testing';
import {
  type Backend,
  createBackend,
  type RunningAuth,
  register,
  secrets,
  startAuth,
} from '../../support/running-auth.ts';

let backend: Backend;
let auth: RunningAuth;
let other: RunningAuth;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  other = await startAuth(backend);
});
afterAll(async () => {
  await Promise.all([auth.stop(), other.stop()]);
  await backend.drop();
});

/** Every route of the process, as `GET /t/platform/jwks`. */
const routes = (): { method: string; url: string }[] =>
  auth.routes().flatMap(({ url, methods }) =>
    methods
      .filter((method) => method !== 'HEAD')
      .map((method) => ({
        method,
        url: url
          .replace(':tenant', 'platform')
          .replace(/:[a-zA-Z]+/g, '00000000-0000-7000-8000-000000000000'),
      })),
  );

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** Changes the first character of the signature: the last one contains bits that decoders ignore. */
const madeUp = (proof: string): string =>
  proof.replace(/\.(.)/, (_part, first: string) => (first === 'A' ? '.B' : '.A'));

const proven = () => ({ [neighbourHeader]: testNeighbours.value() });
const forwarded = { 'x-forwarded-for': '192.0.2.1' };

const tokenFor = (clientId: string, secret: string, headers: Record<string, string> = {}, at = auth) =>
  at.post(
    '/t/platform/token',
    { grant_type: 'client_credentials', resource: 'urn:ostiary:service:auth' },
    { basic: [clientId, secret], headers },
  );

/** Headers that reveal a proxy. */
const proxies = ['x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via', 'forwarded', 'x-forwarded-for'];

/**
 * Credentials that an external caller may have: none, the operator's token and secret, and those of a client of another
 * tenant.
 */
async function held(): Promise<Record<string, Record<string, string>>> {
  const operator = await tokenFor('operator', secrets.operator);
  const { client, clientSecret } = await register(
    auth,
    {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_basic',
    },
    'rival',
  );
  return {
    nothing: {},
    'the token of the operator': { authorization: `Bearer ${operator.body.access_token}` },
    'the secret of the operator': { authorization: basic('operator', secrets.operator) },
    'a wrong secret of a service': { authorization: basic('gateway', 'wrong') },
    'the secret of a client of the rival': { authorization: basic(client.clientId, clientSecret ?? '') },
    'a proof that is made up': { [neighbourHeader]: madeUp(testNeighbours.value()) },
  };
}

/** Expects 404 from every internal route. */
async function expectNothing(what: string, headers: Record<string, string>): Promise<void> {
  const internal = routes().filter(({ url }) => url.startsWith('/internal') || url.includes('/platform'));
  expect(internal.length).toBeGreaterThan(50);
  for (const { method, url } of internal) {
    const form = method === 'POST' && {
      body: 'grant_type=client_credentials',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    };
    const response = await fetch(auth.origin + url, { method, headers, ...form });
    const { error } = (await response.json().catch(() => ({}))) as { error?: string };
    expect([what, method, url, response.status, error]).toEqual([what, method, url, 404, 'not_found']);
  }
}

test.each(proxies)(
  'No route of the internal issuer, and none under /internal, answers a request that a proxy forwards: %s.',
  (proxy) => expectNothing(proxy, { [proxy]: 'id.example' }),
);

test('No such route answers a request with X-Forwarded-For, even with valid credentials.', async () => {
  for (const [what, headers] of Object.entries(await held()))
    await expectNothing(what, { ...headers, ...forwarded });
});

describe('internal processes', () => {
  test('A process that proves itself gets the keys and tokens of the internal issuer, and the operator does through it.', async () => {
    expect((await auth.get('/t/platform/jwks', { ...forwarded, ...proven() })).status).toBe(200);
    expect((await tokenFor('gateway', secrets.gateway, { ...forwarded, ...proven() })).status).toBe(200);
    expect((await tokenFor('operator', secrets.operator, proven())).status).toBe(200);
  });

  test('A process of the previous release, which sends no proof, gets tokens with its secret and uses them.', async () => {
    const { status, body } = await tokenFor('gateway', secrets.gateway, forwarded);
    expect(status).toBe(200);
    const feed = await auth.get('/internal/v1/revocations', {
      ...forwarded,
      authorization: `Bearer ${body.access_token}`,
    });
    expect(feed.status).toBe(200);
  });

  test('A token of the operator counts at an internal route from inside only.', async () => {
    const { body } = await tokenFor('operator', secrets.operator);
    const registered = async (headers: Record<string, string>) => {
      const response = await fetch(`${auth.origin}/internal/v1/tenants/demo/clients`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${body.access_token}`,
          ...headers,
        },
        body: JSON.stringify({ client_name: 'x', grant_types: ['client_credentials'], redirect_uris: [] }),
      });
      return response.status;
    };
    expect(await registered(forwarded)).toBe(404);
    expect(await registered({ ...forwarded, ...proven() })).toBe(201);
    expect(await registered({})).toBe(201);
  });
});

describe('guesses at the operator’s secret', () => {
  test('Of 120 parallel guesses at two processes, about ten are verified and the others are answered with 429.', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 120 }, (_, guess) =>
        tokenFor('operator', `wrong-${guess}`, proven(), guess % 2 ? auth : other),
      ),
    );
    const statuses = guesses.map(({ status }) => status);
    const verified = statuses.filter((status) => status === 401).length;
    // The first wait is five seconds: a slow machine verifies one or two more after it.
    expect(verified).toBeGreaterThanOrEqual(10);
    expect(verified).toBeLessThanOrEqual(13);
    expect(statuses.filter((status) => status === 429).length).toBe(120 - verified);
    const refused = guesses.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.body.error).toBe('slow_down');
    // The correct secret has to wait as well, also at the other endpoints that verify it; the services do not.
    expect((await tokenFor('operator', secrets.operator, {}, other)).status).toBe(429);
    for (const path of ['/t/platform/introspect', '/t/platform/revoke'])
      expect([
        path,
        (await auth.post(path, { token: 'x' }, { basic: ['operator', secrets.operator] })).status,
      ]).toEqual([path, 429]);
    expect((await tokenFor('gateway', secrets.gateway, proven())).status).toBe(200);
  });

  test('Guesses at the secret of an unknown client leave no count.', async () => {
    const count = async () => (await auth.database.sql.query('SELECT 1 FROM auth.guesses')).rowCount;
    const before = await count();
    for (let guess = 0; guess < 20; guess += 1) {
      expect((await tokenFor(`nobody-${guess}`, 'wrong', proven())).status).toBe(401);
    }
    expect(await count()).toBe(before);
  });
});
