import { connect as openSocket } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { connect } from '../support/live.ts';
import { adminToken } from '../support/sign-in.ts';
import { operatorSecret } from './command-line.ts';

const demo = runningDemo();
const createTenant =
  'mutation ($id: ID!) { createTenant(input: { id: $id, name: "Taken" }) { tenant { id } } }';

async function tokenAt(origin: string, resource = `${demo.origin}/graphql`): Promise<Response> {
  return fetch(`${origin}/t/platform/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`operator:${operatorSecret()}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
  });
}

let token = '';
beforeAll(async () => {
  const answer = await tokenAt(demo.operator);
  token = ((await answer.json()) as { access_token: string }).access_token;
});

const ask = (url: string, bearer: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      query: createTenant,
      variables: { id: unique('taken').toLowerCase().slice(0, 60) },
    }),
  });

/** Headers of different ingresses, each of which shows that a proxy forwarded the request. */
const proxies = [
  { 'x-forwarded-host': 'id.example' },
  { 'x-forwarded-proto': 'https' },
  { 'x-real-ip': '203.0.113.7' },
  // HAProxy's `option forwardfor` sets this header only.
  { 'x-forwarded-for': '203.0.113.7' },
  { forwarded: 'for=203.0.113.7' },
  { via: '1.1 ingress' },
];

describe('the operator port', () => {
  test('The operator port issues a token to the operator, which creates a tenant.', async () => {
    const answer = await ask(`${demo.operator}/graphql`, token);
    expect(await answer.json()).toMatchObject({
      data: { createTenant: { tenant: { id: expect.any(String) } } },
    });
  });

  test('The operator port serves only the graph and the issuer of the platform.', async () => {
    const paths = [
      '/',
      '/readyz',
      '/metrics',
      '/internal/v1/tenants',
      '/t/demo/token',
      '/t/platform/jwks',
      '/graphiql',
    ];
    const odd = [
      '/t/platform/token/',
      '/t/platform/../platform/token',
      '//t/platform/token',
      '/t/platform/graphql',
    ];
    for (const path of [...paths, ...odd, '/t/demo/scim/v2/Users']) {
      for (const method of ['GET', 'POST']) {
        expect({ path, status: await rawStatus(demo.operator, method, path) }).toEqual({ path, status: 404 });
      }
    }
    expect(await rawStatus(demo.operator, 'GET', '/t/platform/token')).toBe(405);
  });

  test.each(proxies)('The operator port rejects requests that a proxy forwarded (%j).', async (headers) => {
    for (const path of [
      '/graphql',
      '/t/demo/graphql',
      '/t/platform/token',
      '/t/platform/.well-known/openid-configuration',
    ]) {
      const answer = await fetch(`${demo.operator}${path}`, { method: 'POST', headers });
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
    }
  });

  test('The operator port rejects requests of browsers, which prevents DNS rebinding.', async () => {
    for (const path of ['/graphql', '/t/platform/token']) {
      const { status, headers } = await fetch(`${demo.operator}${path}`, {
        method: 'POST',
        headers: { origin: 'http://rebound.example', host: 'rebound.example' },
      });
      expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 404, null]);
    }
  });

  test('The operator port rejects a form that is too long or has no Content-Length.', async () => {
    const long = await fetch(`${demo.operator}/t/platform/token`, {
      method: 'POST',
      body: 'x'.repeat(20_000),
    });
    expect(long.status).toBe(413);
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('grant_type=')),
    });
    const chunked = await fetch(`${demo.operator}/t/platform/token`, {
      method: 'POST',
      body: endless,
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  test("A tenant's administrator cannot use the platform's graph at the operator port.", async () => {
    for (const tenant of [demo.tenants.demo, demo.tenants.rival]) {
      const answer = await ask(`${demo.operator}/graphql`, await adminToken(tenant));
      expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    }
  });
});

describe('the public port', () => {
  test('The public port does not serve the issuer of the platform.', async () => {
    for (const path of ['token', '.well-known/openid-configuration', 'jwks']) {
      const answer = await fetch(`${demo.origin}/t/platform/${path}`, { method: 'POST' });
      expect(answer.status).toBe(404);
    }
    expect((await tokenAt(demo.origin)).status).toBe(404);
  });

  test.each(proxies)(
    'A leaked operator token is rejected when a proxy forwarded the request (%j).',
    async (headers) => {
      const whole = await ask(demo.graphql, token, headers);
      expect(whole.status).toBe(403);
      const answer = await tokenAt(demo.operator, `${demo.tenants.demo.issuer}/graphql`);
      const acting = ((await answer.json()) as { access_token: string }).access_token;
      expect((await ask(`${demo.tenants.demo.issuer}/graphql`, acting, headers)).status).toBe(403);
      // A token of a tenant is accepted through any proxy.
      expect((await ask(demo.graphql, await adminToken(demo.tenants.demo), headers)).status).toBe(200);
    },
  );

  test('A leaked operator token opens no WebSocket through a proxy, in the header or the first message.', async () => {
    const { default: WebSocket } = await import('ws');
    const url = demo.graphql.replace(/^http/, 'ws');
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
    const refused = await new Promise<number>((resolve) => {
      const socket = new WebSocket(url, 'graphql-transport-ws', {
        headers: { ...forwarded, authorization: `Bearer ${token}` },
      });
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
      socket.on('open', () => resolve(101));
      socket.on('error', () => undefined);
    });
    expect(refused).toBe(403);
    const closed = await new Promise<number>((resolve) => {
      const socket = new WebSocket(url, 'graphql-transport-ws', { headers: forwarded });
      socket.on('open', () =>
        socket.send(
          JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }),
        ),
      );
      socket.on('message', () => resolve(0));
      socket.on('close', (code) => resolve(code));
    });
    expect(closed).toBe(4403);
    // Without a proxy, it is accepted.
    const inside = connect(demo.graphql, { authorization: `Bearer ${token}` });
    await inside.acknowledged;
    inside.close();
  });
});

/** Sends the path as given. fetch would normalize it. @returns the status */
function rawStatus(origin: string, method: string, path: string): Promise<number> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = openSocket(Number(port), hostname, () => {
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])));
    socket.on('error', reject);
  });
}
