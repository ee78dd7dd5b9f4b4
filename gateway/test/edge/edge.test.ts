import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import type { FastifyInstance } from 'fastify';
import { type RunningGateway, type RunningService, startGateway, startService } from '../support/system.ts';

let auth: RunningService;
let directory: RunningService;
let provisioning: RunningService;
let gateway: RunningGateway;

function addAuthRoutes(app: FastifyInstance): void {
  app.get('/internal/v1/revocations', async () => ({ leaked: true }));
  app.get('/t/:tenant/jwks', async () => ({ keys: [] }));
  app.get('/t/:tenant/away', async (_request, reply) =>
    reply.header('set-cookie', ['a=1; HttpOnly', 'b=2']).redirect('https://client.test/cb?code=1', 303),
  );
  app.get('/t/:tenant/hops', async (_request, reply) =>
    reply
      .header('connection', 'keep-alive, x-hop')
      .header('x-hop', '1')
      .header('keep-alive', 'timeout=1')
      .header('proxy-authenticate', 'Basic')
      .header('x-end', '2')
      .send('ok'),
  );
  app.get('/.well-known/oauth-authorization-server/t/:tenant', async () => ({ issuer: 'x' }));
  for (const url of ['/t/:tenant/revocations', '/t/:tenant/ssf/poll/:id'])
    app.get(url, async () => {
      app.server.emit('held');
      await new Promise((resolve) => app.server.once('released', resolve));
      return { held: true };
    });
  app.get('/t/:tenant/slow', (request, reply) => {
    reply.hijack();
    app.server.emit('slow-begun');
    request.raw.socket.once('close', () => app.server.emit('slow-closed'));
  });
  app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    raw.post('/t/:tenant/token', async (request, reply) =>
      reply.header('content-type', String(request.headers['content-type'])).send(request.body as Buffer),
    );
    raw.post('/t/:tenant/early', async (_request, reply) => reply.code(413).send({ error: 'too_large' }));
  });
}

function addProvisioningRoutes(app: FastifyInstance): void {
  app.get('/internal/v1/anything', async () => ({ leaked: true }));
  app.get('/t/:tenant/scim/v2/*', async (request) => ({ at: request.url }));
  app.addContentTypeParser('application/scim+json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.addHttpMethod('PROPFIND', { hasBody: true });
  app.route({
    method: ['OPTIONS', 'PROPFIND'],
    url: '/t/:tenant/scim/v2/Users',
    handler: async (_request, reply) => reply.code(405).header('allow', 'GET, POST').send({}),
  });
  app.post('/t/:tenant/scim/v2/Users', async (_request, reply) => reply.code(201).send({}));
  app.delete('/t/:tenant/scim/v2/Users/:id', async (_request, reply) => reply.code(204).send());
}

beforeAll(async () => {
  const issuer = new Issuer();
  [auth, directory, provisioning] = await Promise.all([
    startService(issuer, 'auth', { addRoutes: addAuthRoutes }),
    startService(issuer, 'directory', {
      addRoutes: (app) => void app.get('/internal/v1/tenants', async () => ({ leaked: true })),
    }),
    startService(issuer, 'provisioning', { addRoutes: addProvisioningRoutes }),
  ]);
  gateway = await startGateway(issuer, {
    auth: auth.origin,
    directory: directory.origin,
    provisioning: provisioning.origin,
  });
});
afterAll(async () => {
  await gateway.app.close();
  await Promise.all([auth, directory, provisioning].map(({ app }) => app.close()));
});
beforeEach(() => {
  for (const service of [auth, directory, provisioning]) service.received.length = 0;
});

const at = (path: string, init: RequestInit = {}) =>
  fetch(`${gateway.url}${path}`, { redirect: 'manual', ...init });

/** Sends a request line that client libraries reject. */
function raw(requestLine: string, headers = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`${requestLine}\r\nHost: id.test\r\nConnection: close\r\n${headers}\r\n`),
    );
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('the routes of the edge', () => {
  test.each([
    'GET /internal/v1/revocations HTTP/1.1',
    'GET /t/demo/../../internal/v1/revocations HTTP/1.1',
    'GET /t/demo/%2e%2e/%2e%2e/internal/v1/revocations HTTP/1.1',
    'GET /t/demo/..%2f..%2finternal/v1/revocations HTTP/1.1',
    'GET //internal/v1/revocations HTTP/1.1',
    'GET /t/demo/scim/../../../internal/v1/anything HTTP/1.1',
    'GET http://127.0.0.1/internal/v1/revocations HTTP/1.1',
    'GET http://127.0.0.1/t/demo/../../internal/v1/revocations HTTP/1.1',
    'GET /.well-known/oauth-authorization-server/../../internal/v1/revocations HTTP/1.1',
    'GET /graphql/../internal/v1/tenants HTTP/1.1',
  ])('The routes of the edge let %s reach no service.', async (line) => {
    const answer = await raw(line);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toContain('leaked');
    expect([...auth.received, ...directory.received, ...provisioning.received]).toEqual([]);
  });

  test('The edge forwards any other method, because the service decides which methods a path supports.', async () => {
    for (const method of ['OPTIONS', 'PROPFIND']) {
      expect(await raw(`${method} /t/demo/scim/v2/Users HTTP/1.1`)).toMatch(
        /^HTTP\/1\.1 405[\s\S]*allow: GET, POST/,
      );
    }
  });

  test('The edge rejects CONNECT and TRACE.', async () => {
    expect(await raw('TRACE /t/demo/jwks HTTP/1.1')).toMatch(/^HTTP\/1\.1 40/);
    expect(auth.received).toEqual([]);
  });
});

describe('the edge', () => {
  test('The edge forwards a path with its query and encoding as sent.', async () => {
    const response = await at('/t/demo/scim/v2/Users?filter=userName%20eq%20%22a%2Fb%22&x=%2E');
    expect(await response.json()).toEqual({
      at: '/t/demo/scim/v2/Users?filter=userName%20eq%20%22a%2Fb%22&x=%2E',
    });
  });

  test('The edge replaces the headers in which the client states its own origin.', async () => {
    await at('/t/demo/jwks', {
      headers: {
        forwarded: 'for=6.6.6.6',
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-host': 'evil.test',
        'x-forwarded-proto': 'gopher',
        'x-forwarded-prefix': '/evil',
        'x-real-ip': '6.6.6.6',
        'x-ostiary-neighbour': 'what a client sends',
        'x-request-id': 'request-0042',
        'x-other': 'kept',
        cookie: 's=1',
        authorization: 'Basic YTpi',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      },
    });
    const headers = auth.received[0]?.headers ?? {};
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'id.test',
      'x-forwarded-proto': 'https',
      'x-request-id': 'request-0042',
      'x-other': 'kept',
      cookie: 's=1',
      authorization: 'Basic YTpi',
      // The trace id of the client, with a span of the gateway.
      traceparent: expect.stringMatching(
        /^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/,
      ),
    });
    for (const name of ['forwarded', 'x-real-ip', 'x-forwarded-prefix', 'x-ostiary-neighbour'])
      expect(headers[name]).toBeUndefined();
  });

  test('The edge does not forward hop-by-hop headers, including those named by Connection.', async () => {
    const answer = await raw(
      'GET /t/demo/hops HTTP/1.1',
      'Connection: x-secret\r\nx-secret: 1\r\nTE: trailers\r\nProxy-Authorization: Basic x\r\nUpgrade: h2c\r\nKeep-Alive: 5\r\n',
    );
    const headers = auth.received[0]?.headers ?? {};
    for (const name of ['te', 'proxy-authorization', 'upgrade', 'x-secret'])
      expect(headers[name]).toBeUndefined();
    expect(answer).toMatch(/x-end: 2/i);
    expect(answer).not.toMatch(/x-hop|proxy-authenticate|timeout=1/i);
  });

  test('The edge forwards a form unchanged, byte for byte.', async () => {
    const body = 'grant_type=client_credentials&scope=a+b&x=%7e&x=2&empty=';
    const response = await at('/t/demo/token', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(await response.text()).toBe(body);
  });

  test('The edge streams a large body in both directions.', async () => {
    const body = Buffer.alloc(900_000, 'ä');
    const response = await at('/t/demo/token', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/scim+json' },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
  });

  test('The edge forwards redirects and cookies to the client.', async () => {
    const response = await at('/t/demo/away');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('https://client.test/cb?code=1');
    expect(response.headers.getSetCookie()).toEqual(['a=1; HttpOnly', 'b=2']);
  });

  test('The edge forwards HEAD, 204, 404 and unusual requests.', async () => {
    const head = await at('/t/demo/jwks', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '11', '']);
    expect((await at('/t/demo/scim/v2/Users/1', { method: 'DELETE' })).status).toBe(204);
    expect((await at('/t/demo/nothing')).status).toBe(404);
    expect((await at('/.well-known/oauth-authorization-server/t/demo')).status).toBe(200);
    expect((await at('/t/demo/token', { method: 'POST' })).status).toBe(200);
    expect(
      (
        await at('/t/demo/token', {
          method: 'POST',
          body: '{',
          headers: { 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(200);
  });

  test('The edge rejects a body over the limit in the format of the protocol, announced or chunked, without a hang.', async () => {
    const big = Buffer.alloc(2_000_000, 'x');
    const chunks = () =>
      new ReadableStream({
        start(controller) {
          for (let sent = 0; sent < 20; sent += 1) controller.enqueue(big.subarray(0, 100_000));
          controller.close();
        },
      });
    const scim = { method: 'POST', headers: { 'content-type': 'application/scim+json' } };
    for (const body of [big, chunks()]) {
      // A client may observe the closed connection before it reads the response.
      const response = await at('/t/demo/scim/v2/Users', {
        ...scim,
        body,
        duplex: 'half',
      } as RequestInit).catch(() => undefined);
      if (response) {
        expect(response.status).toBe(413);
        expect(await response.json()).toMatchObject({ status: '413' });
      }
    }
    expect(await raw('POST /t/demo/scim/v2/Users HTTP/1.1', 'Content-Length: 2000000\r\n')).toMatch(
      /^HTTP\/1\.1 413 /,
    );
    expect(await raw('POST /t/demo/token HTTP/1.1', 'Content-Length: 2000000\r\n')).toContain(
      '"invalid_request"',
    );
    expect((await at('/t/demo/jwks')).status).toBe(200);
  });

  test('The edge forwards a response that a service sends before it has read the body.', async () => {
    const response = await at('/t/demo/early', {
      method: 'POST',
      body: Buffer.alloc(20_000),
      headers: { 'content-type': 'text/x' },
    });
    expect(response.status).toBe(413);
  });

  test('The edge ends the request at the service when the client disconnects.', async () => {
    const aborted = new Promise<void>((resolve) => auth.app.server.once('slow-closed', resolve));
    const begun = new Promise<void>((resolve) => auth.app.server.once('slow-begun', resolve));
    const client = request(`${gateway.url}/t/demo/slow`).on('error', () => undefined);
    client.end();
    await begun;
    client.destroy();
    await aborted;
  });
});

describe('a service that is down', () => {
  test('Requests to an unavailable service get 503 and Retry-After in the format of its protocol; other services stay available.', async () => {
    const issuer = new Issuer();
    const port = await freePort();
    const first = await startService(issuer, 'provisioning', { port, addRoutes: addProvisioningRoutes });
    const other = await startGateway(issuer, {
      auth: 'http://127.0.0.1:1',
      directory: directory.origin,
      provisioning: first.origin,
    });
    try {
      expect((await fetch(`${other.url}/t/demo/scim/v2/Users`)).status).toBe(200);
      await first.app.close();

      const scim = await fetch(`${other.url}/t/demo/scim/v2/Users`);
      expect([scim.status, scim.headers.get('retry-after')]).toEqual([503, '2']);
      expect(scim.headers.get('content-type')).toMatch(/^application\/scim\+json/);
      expect(await scim.json()).toEqual({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '503',
        detail: 'The service is not available right now. Try again shortly.',
      });

      const oauth = await fetch(`${other.url}/t/demo/token`, {
        method: 'POST',
        body: new URLSearchParams({ a: '1' }),
      });
      expect([oauth.status, oauth.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await oauth.json()).toMatchObject({ error: 'temporarily_unavailable' });

      const second = await startService(issuer, 'provisioning', { port, addRoutes: addProvisioningRoutes });
      expect((await fetch(`${other.url}/t/demo/scim/v2/Users`)).status).toBe(200);
      await second.app.close();
    } finally {
      await other.app.close();
    }
  });
});

test.each([
  ['/t/demo/token', 400, { error: 'invalid_request' }],
  ['/t/demo/scim/v2/Users', 415, { status: '415' }],
])('A malformed Content-Type is rejected in the error format of %s.', async (url, status, body) => {
  const answer = await gateway.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'nonsense' },
    payload: 'grant_type=client_credentials',
  });
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toMatchObject(body);
});

test('Requests that the service holds leave its other routes reachable, whatever their number.', async () => {
  let held = 0;
  const count = () => {
    held += 1;
  };
  auth.app.server.setMaxListeners(0).on('held', count);
  // The service's router decodes a path.
  const addresses = [
    '/t/demo/revocations?after=x',
    '/t/demo/%72evocations',
    '/t/demo/ssf/poll/1',
    '/t/demo/ssf/%70oll/1',
  ];
  const paths = Array.from({ length: 100 }, () => addresses).flat();
  const waiting = paths.map((path) => fetch(gateway.url + path));
  await eventually(() => held === paths.length);
  expect((await fetch(`${gateway.url}/t/demo/jwks`)).status).toBe(200);
  auth.app.server.emit('released');
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  auth.app.server.off('held', count);
});
