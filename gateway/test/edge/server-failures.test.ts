import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { TokenVerifier } from '@ostiary/access';
import { Issuer } from '@ostiary/access/testing';
import { freePort } from '@ostiary/embedded';
import { createHttp, createKit, type Exchange, Observation, ServiceUnavailable } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import type { FastifyInstance } from 'fastify';
import { serveDirectly } from '../../src/edge/http/direct.ts';
import { OperatorPort } from '../../src/edge/http/operator-port.ts';
import { serveUpgrades } from '../../src/edge/http/upgrades.ts';
import { startGateway, startService } from '../support/system.ts';

type Line = Record<string, unknown>;

let lines: Line[];
let closing: (() => Promise<unknown>)[];

beforeEach(() => {
  lines = [];
  closing = [];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
});

function recordingKit() {
  const logStream = new Writable({
    write(chunk, _encoding, done) {
      const written = String(chunk).trim().split('\n');
      lines.push(...written.map((line): Line => JSON.parse(line)));
      done();
    },
  });
  return createKit({ name: 'gateway', logLevel: 'warn', logStream });
}

/** Waits for the entry that `isWanted` accepts among those of a request. */
const entryOf = (requestId: string | null, isWanted: (line: Line) => boolean) =>
  eventually(() => lines.find((line) => line.requestId === requestId && isWanted(line)));

const unavailable: TokenVerifier['verify'] = async () => {
  throw new ServiceUnavailable('auth');
};

/** A gateway whose directory is unavailable, whose auth fails, and whose verifier is unavailable for the graph. */
async function gateway(): Promise<string> {
  const issuer = new Issuer();
  const auth = await startService(issuer, 'auth', {
    addRoutes: (app) => void app.get('/t/:tenant/jwks', async (_request, reply) => reply.code(500).send()),
  });
  const none = `http://127.0.0.1:${await freePort()}`;
  const { app, url } = await startGateway(
    issuer,
    { auth: auth.origin, directory: none, provisioning: none },
    { kit: recordingKit(), verifier: { verify: unavailable } as TokenVerifier },
  );
  closing.push(
    () => auth.app.close(),
    () => app.close(),
  );
  return url;
}

test.each([
  ['a service that is unavailable', '/t/demo/scim/v2/Users', 503, 'warn', 'proxy.service_unavailable'],
  ['a service that fails', '/t/demo/jwks', 500, 'error', undefined],
  [
    'the graph without its verifier',
    '/graphql?query={me{id}}',
    503,
    'warn',
    'request.dependency_unavailable',
  ],
  ['the graph of a tenant', '/t/demo/graphql?query={me{id}}', 503, 'warn', 'request.dependency_unavailable'],
  ['a probe', '/readyz', 503, 'warn', undefined],
])(
  'A 5xx of %s at the gateway leaves entries with the request id that the client received.',
  async (_, path, status, level, event) => {
    const url = await gateway();
    const headers = { authorization: 'Bearer x.y.z', 'apollo-require-preflight': '1' };
    const answer = await fetch(url + path, { headers });
    expect(answer.status).toBe(status);
    const requestId = answer.headers.get('x-request-id');
    expect(await entryOf(requestId, (line) => line.status === status)).toMatchObject({ level });
    if (event !== undefined)
      expect(await entryOf(requestId, (line) => line.event === event)).toMatchObject({ level });
  },
);

test.each([
  ['fails', async () => Promise.reject(new Error('failed')), 500, 'error'],
  ['has no dependency', async () => Promise.reject(new ServiceUnavailable('auth')), 503, 'warn'],
  ['is rejected for now', async () => ({ status: 503, cause: new Error('full') }), 503, 'warn'],
])(
  'A WebSocket upgrade that %s leaves an entry with the request id that the client received.',
  async (_, accept, status, level) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing.push(async () => server.close());
    const app = { server } as unknown as FastifyInstance;
    serveUpgrades({ app, log: recordingKit().log, addressOf: () => '192.0.2.1', accept });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const [, requestId = null] = /\r\nx-request-id: (\S+)\r\n/.exec(text) ?? [];
    expect(await entryOf(requestId, ({ event }) => event === 'websocket.rejected')).toMatchObject({
      level,
      status,
      err: { message: expect.any(String) },
    });
  },
);

test('A 503 of the operator port leaves an entry with the request id that the client received.', async () => {
  const kit = recordingKit();
  const port = await freePort();
  const operator = new OperatorPort({
    app: { server: createServer() } as unknown as FastifyInstance,
    auth: { pool: { request: unavailable } } as unknown as ConstructorParameters<
      typeof OperatorPort
    >[0]['auth'],
    kit,
  });
  await operator.listen('127.0.0.1', port);
  closing.push(() => operator.close());
  const answer = await fetch(`http://127.0.0.1:${port}/t/platform/.well-known/openid-configuration`);
  expect(answer.status).toBe(503);
  const requestId = answer.headers.get('x-request-id');
  expect(requestId).not.toBeNull();
  expect(await entryOf(requestId, ({ event }) => event === 'operator_port.issuer_unavailable')).toMatchObject(
    {
      level: 'warn',
    },
  );
});

/** Starts a server that answers `/direct` before its router, and every other address by it. */
async function directly() {
  const kit = recordingKit();
  const observation = new Observation(kit);
  const app = createHttp(kit, { observation });
  const answer = ({ response, headers }: Exchange) => void response.writeHead(502, [...headers]).end();
  serveDirectly({
    app,
    kit,
    observation,
    trustedProxies: [],
    headers: [],
    surface: { find: ({ url }) => (url === '/direct' ? { pattern: '/direct', answer } : undefined) },
  });
  app.get('/open', (_request, reply) => void reply.hijack());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  closing.push(() => app.close());
  return { app, url };
}

test('A 5xx of a surface that bypasses the router leaves an entry with the request id that the client received.', async () => {
  const { url } = await directly();
  const answer = await fetch(`${url}/direct`);
  expect(answer.status).toBe(502);
  expect(await entryOf(answer.headers.get('x-request-id'), () => true)).toMatchObject({
    level: 'error',
    path: '/direct',
    status: 502,
  });
});

test('A request that would bypass the router, on an open connection of a stopping server, leaves an entry with the request id of its 503.', async () => {
  const { app, url } = await directly();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const first = once(app.server, 'request');
  socket.write('GET /open HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, response] = await first;
  const closed = app.close();
  await eventually(() => !app.server.listening);
  const second = once(app.server, 'request');
  socket.write('GET /direct HTTP/1.1\r\nHost: x\r\n\r\n');
  await second;
  response.writeHead(200, { 'content-length': 0 }).end();
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  await closed;
  const answer = text.slice(text.lastIndexOf('HTTP/1.1 '));
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  const [, requestId = null] = /\r\nx-request-id: (\S+)\r\n/i.exec(answer) ?? [];
  expect(await entryOf(requestId, ({ status }) => status === 503)).toMatchObject({ level: 'warn' });
});
