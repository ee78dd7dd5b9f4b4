import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { publicOrigin } from '@ostiary/access/testing';
import { createKit } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { RegisteredWebOrigins, type WebOrigins } from '../../src/cors/web-origins.ts';
import { connectWs } from '../support/live-clients.ts';
import { type Gateway, LiveSystem } from '../support/live-system.ts';

const demoApp = 'https://app.demo.test';
const rivalApp = 'https://app.rival.test';
const bothApp = 'https://both.test';
const unregisteredApp = 'https://evil.test';

const registered: Record<string, string[]> = {
  [demoApp]: ['demo'],
  [rivalApp]: ['rival'],
  [bothApp]: ['demo', 'rival'],
};
const webOrigins: WebOrigins = { tenantsOf: async (origin) => new Set(registered[origin]) };

let system: LiveSystem;
let gateway: Gateway;
let token: string;

beforeAll(async () => {
  system = await LiveSystem.start();
  gateway = await system.gateway({
    webOrigins,
    guards: { pointsPerMinute: 1_000_000 },
  });
  token = await system.issuer.token({ subject: 'app', scopes: ['users:read'] });
});
afterAll(() => system.close());

const query = '{ user(id: "alice") { name } }';

function send(
  origin: string,
  o: {
    method?: string;
    path?: string;
    authorization?: string;
    headers?: Record<string, string>;
    body?: string;
  } = {},
): Promise<Response> {
  const { method = 'POST', path = '/graphql', authorization, headers, body = JSON.stringify({ query }) } = o;
  return fetch(`${gateway.url}${path}`, {
    method,
    headers: {
      origin,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(authorization ? { authorization } : {}),
      ...headers,
    },
    ...(method === 'POST' ? { body } : {}),
  });
}

const preflight = (origin: string, path = '/graphql', more: Record<string, string> = {}) =>
  send(origin, {
    method: 'OPTIONS',
    path,
    headers: {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, content-type, dpop',
      ...more,
    },
  });

const corsHeaders = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin');
const list = (response: Response, name: string) => (response.headers.get(name) ?? '').split(/, */);

describe('a preflight of a page of another origin', () => {
  test('A preflight from an origin that a tenant has registered is allowed.', async () => {
    const answer = await preflight(demoApp);
    expect(answer.status).toBe(204);
    expect(allowed(answer)).toBe(demoApp);
    expect(list(answer, 'access-control-allow-methods')).toEqual(['GET', 'POST']);
    expect(list(answer, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'dpop',
        'last-event-id',
        'x-apollo-operation-name',
      ]),
    );
    expect(answer.headers.get('vary')).toBe('Origin');
    // Only bearer tokens and proofs are sent, without cookies and client certificates.
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test.each([
    ['that no tenant has registered', unregisteredApp, '/graphql'],
    ['that is none', 'null', '/graphql'],
    ['that begins like a registered one', `${demoApp}.evil.test`, '/graphql'],
    ['of another scheme', demoApp.replace('https', 'http'), '/graphql'],
    ['with a port', `${demoApp}:8443`, '/graphql'],
    ['in other letters', demoApp.toUpperCase(), '/graphql'],
    ['of another tenant, at a tenant’s own address', rivalApp, '/t/demo/graphql'],
    ['at the platform’s address', demoApp, '/t/platform/graphql'],
  ])('A preflight is not allowed from an origin %s.', async (_what, origin, path) => {
    const answer = await preflight(origin, path);
    expect(answer.status).not.toBe(204);
    expect(corsHeaders(answer)).toEqual({});
  });

  test('A preflight at the address of a tenant is allowed for the origins of that tenant only.', async () => {
    expect(allowed(await preflight(demoApp, '/t/demo/graphql'))).toBe(demoApp);
    expect(allowed(await preflight(bothApp, '/t/rival/graphql'))).toBe(bothApp);
  });

  test('An OPTIONS request that is not a preflight is not handled as one.', async () => {
    const answer = await send(demoApp, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });
});

describe('responses to cross-origin requests', () => {
  test('A response is readable for pages of the origins that the tenant of the token has registered.', async () => {
    for (const origin of [demoApp, bothApp]) {
      for (const path of ['/graphql', '/t/demo/graphql']) {
        const authorization = `Bearer ${path === '/graphql' ? token : await forDemo()}`;
        const answer = await send(origin, { authorization, path });
        expect([answer.status, allowed(answer), answer.headers.get('vary')]).toEqual([200, origin, 'Origin']);
        expect(list(answer, 'access-control-expose-headers')).toEqual(
          expect.arrayContaining([
            'www-authenticate',
            'dpop-nonce',
            'retry-after',
            'ratelimit',
            'ratelimit-policy',
          ]),
        );
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
        expect(await answer.json()).toEqual({ data: { user: { name: 'Alice' } } });
      }
    }
  });

  const forDemo = () =>
    system.issuer.token({
      subject: 'app',
      scopes: ['users:read'],
      audience: `${publicOrigin}/t/demo/graphql`,
    });

  test('No response is readable for pages of another tenant.', async () => {
    const authorization = `Bearer ${token}`;
    const answers = await Promise.all([
      send(rivalApp, { authorization }),
      send(unregisteredApp, { authorization }),
      send('null', { authorization }),
      // Rejected after the verification of the token.
      send(rivalApp, { authorization, body: 'nonsense' }),
      send(rivalApp, { authorization, headers: { 'content-type': 'text/plain' } }),
      send(rivalApp, { authorization, headers: { accept: 'text/event-stream' } }),
      send(rivalApp, { method: 'GET', path: `/graphql?query=${encodeURIComponent(query)}`, authorization }),
    ]);
    const unread = answers.filter((_, index) => index !== 3);
    for (const answer of unread) expect([answer.url, corsHeaders(answer)]).toEqual([answer.url, {}]);
    for (const answer of answers) expect(answer.headers.get('vary')).toBe('Origin');
  });

  test('A response before the tenant is known is readable for pages of any registered origin; it contains no data of a tenant.', async () => {
    const answers = await Promise.all(
      [demoApp, rivalApp].flatMap((origin) => [
        send(origin, { authorization: 'Bearer x.y.z' }),
        send(origin),
        send(origin, { body: 'nonsense' }),
        send(origin, { headers: { 'content-type': 'text/plain' } }),
        send(origin, { path: '/graphql?access_token=x' }),
      ]),
    );
    for (const [index, answer] of answers.entries()) {
      expect(allowed(answer)).toBe(index < answers.length / 2 ? demoApp : rivalApp);
    }
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(bodies.slice(0, bodies.length / 2)).toEqual(bodies.slice(bodies.length / 2));
    expect(answers[0]?.headers.get('www-authenticate')).toContain('invalid_token');
  });

  test('Non-browser clients and pages of the origin of the gateway read responses without a preflight.', async () => {
    const authorization = `Bearer ${token}`;
    const answer = await send(publicOrigin, { authorization });
    expect([answer.status, corsHeaders(answer)]).toEqual([200, {}]);
  });

  test('Metadata is readable for pages of the same origins as other responses.', async () => {
    const path = '/.well-known/oauth-protected-resource/graphql';
    const own = '/.well-known/oauth-protected-resource/t/demo/graphql';
    for (const [origin, address, expected] of [
      [demoApp, path, demoApp],
      [rivalApp, path, rivalApp],
      [unregisteredApp, path, null],
      [demoApp, own, demoApp],
      [rivalApp, own, null],
    ] as const) {
      const answer = await send(origin, { method: 'GET', path: address });
      expect([origin, address, answer.status, allowed(answer)]).toEqual([origin, address, 200, expected]);
    }
  });
});

describe('live events', () => {
  const subscription = JSON.stringify({ query: 'subscription { userChanged { id } }' });
  const headers = { accept: 'text/event-stream' };

  test('Live events reach a page of a registered origin as server-sent events.', async () => {
    const answer = await send(demoApp, { authorization: `Bearer ${token}`, headers, body: subscription });
    expect([answer.status, answer.headers.get('content-type'), allowed(answer)]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      demoApp,
    ]);
    expect(answer.headers.get('vary')).toBe('Origin');
    await answer.body?.cancel();
  });

  test('Live events reach no page of another tenant.', async () => {
    for (const origin of [rivalApp, unregisteredApp]) {
      const answer = await send(origin, { authorization: `Bearer ${token}`, headers, body: subscription });
      expect([answer.status, corsHeaders(answer)]).toEqual([403, {}]);
    }
  });

  const upgrade = (origin: string, path = '/graphql', more = '') =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\norigin: ${origin}\r\n${more}\r\n`,
      );
      socket.once('data', (data) => {
        resolve(String(data).slice(9, 12));
        socket.destroy();
      });
      socket.once('error', reject);
    });

  test('Live events reach only WebSockets of pages of registered origins.', async () => {
    expect(await upgrade(demoApp)).toBe('101');
    expect(await upgrade(rivalApp)).toBe('101');
    expect(await upgrade(unregisteredApp)).toBe('403');
    expect(await upgrade('null')).toBe('403');
    expect(await upgrade(demoApp, '/t/demo/graphql')).toBe('101');
    expect(await upgrade(rivalApp, '/t/demo/graphql')).toBe('403');
  });

  test('Live events reach a WebSocket only with a token of the tenant that registered the origin of its page.', async () => {
    const authorization = `Bearer ${token}`;
    const code = async (origin: string) =>
      (await connectWs(gateway.url, { authorization }, { origin }).closed).code;
    expect(await code(rivalApp)).toBe(4403);
    // The token may also be in the header of the upgrade request.
    expect(await upgrade(rivalApp, '/graphql', `authorization: ${authorization}\r\n`)).toBe('403');
    expect(await upgrade(demoApp, '/graphql', `authorization: ${authorization}\r\n`)).toBe('101');
    const socket = connectWs(gateway.url, { authorization }, { origin: demoApp });
    const subscriber = socket.subscribe({ query: 'subscription { userChanged { userId } }' });
    await eventually(async () => {
      await system.publish({ type: 'user.updated' });
      return subscriber.results.length > 0;
    });
    expect(subscriber.results[0]?.data).toEqual({ userChanged: { userId: 'alice' } });
    await socket.client.dispose();
  });
});

describe('the list of registered origins', () => {
  const { log } = createKit({ name: 'gateway', logLevel: 'silent' });
  const listed = (origins: Record<string, string[]>) => ({ status: 200, body: { origins }, headers: {} });

  test('The list of registered origins is read at most once per second, regardless of the number of requests.', async () => {
    let now = 0;
    let asked = 0;
    let origins: Record<string, string[]> = { [demoApp]: ['demo'] };
    const auth = {
      request: async () => {
        asked += 1;
        return listed(origins);
      },
    };
    const known = new RegisteredWebOrigins({ auth: auth as never, log, clock: () => now });
    const sizes = await Promise.all(
      Array.from(
        { length: 50 },
        async (_, index) => (await known.tenantsOf(index ? `https://${index}.test` : demoApp)).size,
      ),
    );
    expect([asked, sizes.filter((size) => size > 0)]).toEqual([1, [1]]);
    origins = { [rivalApp]: ['rival'] };
    now = 900;
    expect((await known.tenantsOf(demoApp)).has('demo')).toBe(true);
    now = 1_001;
    expect((await known.tenantsOf(demoApp)).size).toBe(0);
    expect((await known.tenantsOf(rivalApp)).has('rival')).toBe(true);
    expect(asked).toBe(2);
  });

  test('The list of registered origins is kept while the authorization server is unavailable, and is empty before the first response.', async () => {
    let now = 0;
    let fails = true;
    const auth = {
      request: async () => {
        if (fails) throw new Error('away');
        return listed({ [demoApp]: ['demo'] });
      },
    };
    const known = new RegisteredWebOrigins({ auth: auth as never, log, clock: () => now });
    expect((await known.tenantsOf(demoApp)).size).toBe(0);
    fails = false;
    now = 2_000;
    expect((await known.tenantsOf(demoApp)).has('demo')).toBe(true);
    fails = true;
    now = 4_000;
    expect((await known.tenantsOf(demoApp)).has('demo')).toBe(true);
  });
});
