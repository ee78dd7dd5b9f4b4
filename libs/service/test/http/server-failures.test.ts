import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Readable, Writable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createHttp, createKit, createMetricsServer, ServiceUnavailable, takeOver } from '../../src/index.ts';
import { eventually } from '../../src/testing.ts';

let app: FastifyInstance | undefined;
let lines: Record<string, unknown>[] = [];

afterEach(() => app?.close());

function recordingKit() {
  lines = [];
  const logStream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(
        ...String(chunk)
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      );
      done();
    },
  });
  return createKit({ name: 'test', logLevel: 'warn', logStream });
}

/** Starts a server whose perimeter rejects `/rejected`, with a required check that is down. */
async function serve(): Promise<{ app: FastifyInstance; url: string; port: number }> {
  const kit = recordingKit();
  kit.health.check('database', async () => {
    throw new Error('away');
  });
  const server = createHttp(kit, {
    perimeter: ({ url }) =>
      url === '/rejected'
        ? ({ response, headers }) => void response.writeHead(502, [...headers]).end()
        : undefined,
  });
  addFailures(server);
  app = server;
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { app: server, url, port: (server.server.address() as AddressInfo).port };
}

const failing = async (): Promise<never> => {
  throw new Error('failed');
};

function addFailures(server: FastifyInstance): void {
  server.get('/throws', failing);
  server.get('/unavailable', async () => {
    throw new ServiceUnavailable('database');
  });
  server.get('/status', async (_request, reply) => reply.code(504).send('by the route'));
  server.get('/hook', { onRequest: failing }, async () => 'never');
  server.get('/serializer', { preSerialization: failing }, async () => ({}));
  server.get('/handler', { errorHandler: failing }, failing);
  server.get('/stream', async () =>
    Readable.from(
      (async function* () {
        yield await failing();
      })(),
    ),
  );
  server.get('/open', (_request, reply) => void reply.hijack());
  server.get('/taken', (request, reply) => {
    const { response, headers } = takeOver(request, reply);
    response.writeHead(500, [...headers]).end();
  });
  server.get('/internal/v1/revocations', failing);
}

/** Waits for the entries of a request, and returns their levels. */
async function levelsOf(requestId: string | null): Promise<unknown[]> {
  const own = () => lines.filter((line) => line.requestId === requestId);
  await eventually(() => own().some(({ status }) => status !== undefined));
  return [...new Set(own().map(({ level }) => level))];
}

test.each([
  ['a handler that throws', '/throws', 500, 'error'],
  ['a handler whose dependency is unavailable', '/unavailable', 503, 'warn'],
  ['a handler that sets the status', '/status', 504, 'error'],
  ['a hook that throws', '/hook', 500, 'error'],
  ['a serialization that throws', '/serializer', 500, 'error'],
  ['an error handler that throws', '/handler', 500, 'error'],
  ['a stream that fails before its first byte', '/stream', 500, 'error'],
  ['a handler that writes to the socket itself', '/taken', 500, 'error'],
  ['a route that processes poll', '/internal/v1/revocations', 500, 'error'],
  ['a probe while a dependency is unavailable', '/readyz', 503, 'warn'],
  ['a perimeter that rejects the request', '/rejected', 502, 'error'],
])(
  'A 5xx of %s leaves an entry with the request id that the client received.',
  async (_, path, status, level) => {
    const { url } = await serve();
    const answer = await fetch(`${url}${path}`);
    expect(answer.status).toBe(status);
    expect(await levelsOf(answer.headers.get('x-request-id'))).toEqual([level]);
  },
);

test.each(['/throws', '/rejected', '/unknown', '/%zz'])(
  'A request to %s on an open connection of a stopping server leaves an entry with the request id of its 503.',
  async (path) => {
    const { app: server, port } = await serve();
    const socket = connect(port, '127.0.0.1');
    const first = once(server.server, 'request');
    socket.write('GET /open HTTP/1.1\r\nHost: x\r\n\r\n');
    const [, response] = await first;
    const closed = server.close();
    await eventually(() => !server.server.listening);
    const second = once(server.server, 'request');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await second;
    response.writeHead(200, { 'content-length': 0 }).end();
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    await closed;
    const answer = text.slice(text.lastIndexOf('HTTP/1.1 '));
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/\r\nretry-after: 1\r\n/i);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    const [, requestId = null] = /\r\nx-request-id: (\S+)\r\n/i.exec(answer) ?? [];
    expect(answer).toContain(`"request_id":"${requestId}"`);
    expect(await levelsOf(requestId)).toEqual(['warn']);
  },
);

test('A 500 of the metrics server leaves an entry with the request id that the client received.', async () => {
  const kit = recordingKit();
  kit.metrics.metrics = failing;
  const server = createMetricsServer(kit).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`);
    expect(answer.status).toBe(500);
    const requestId = answer.headers.get('x-request-id');
    expect(requestId).not.toBeNull();
    expect(lines).toEqual([expect.objectContaining({ level: 'error', event: 'metrics.failed', requestId })]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
