import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createHttp, createKit } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import type { FastifyInstance } from 'fastify';
import { rawExchange } from '../../../service/test/support/raw-exchange.ts';
import { ownPerimeter } from '../../src/perimeter/own-perimeter.ts';

let app: FastifyInstance;
let port: number;
let lines: Record<string, unknown>[] = [];
/** Addresses of the requests that reached a route. */
let reached: string[] = [];

const logStream = new Writable({
  write(chunk, _encoding, done) {
    const written = String(chunk).trim().split('\n');
    lines.push(...written.map((line) => JSON.parse(line)));
    done();
  },
});
const kit = createKit({ name: 'test', logStream });

beforeAll(async () => {
  const perimeter = ownPerimeter({ service: 'auth', bodyLimit: 100 });
  app = createHttp(kit, { publicOrigin: 'https://id.test', perimeter });
  const handler = async ({ url }: { url: string }) => {
    reached.push(url);
    return 'reached';
  };
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.post('/t/:tenant/token', handler);
  app.get('/t/:tenant/jwks', handler);
  app.get('/t/:tenant/scim/v2/Users/:id', handler);
  app.get('/internal/v1/things', handler);
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());
beforeEach(() => {
  lines = [];
  reached = [];
});

const missing = '{"error":"not_found","error_description":"There is nothing at this address."}';
const malformed = '{"error":"invalid_request","error_description":"The address is malformed."}';
const wrongType = '{"error":"invalid_request","error_description":"The Content-Type header is malformed."}';
const tooLarge = '{"error":"invalid_request","error_description":"The request body is too large."}';
const scimMalformed =
  '{"schemas":["urn:ietf:params:scim:api:messages:2.0:Error"],"status":"400","detail":"The address is malformed."}';
const otherHost = 'The request target names another host than the Host header.';
const ambiguous = JSON.stringify({
  error: 'invalid_request',
  message: otherHost,
  error_description: otherHost,
});

const rejected: readonly [string, readonly string[], status: number, body: string][] = [
  ['an internal route', ['GET /internal/v1/things HTTP/1.1'], 404, missing],
  ['an internal route by HEAD', ['HEAD /internal/v1/things HTTP/1.1'], 404, ''],
  ['a health route', ['GET /livez HTTP/1.1'], 404, missing],
  ['a route of no process', ['GET /nowhere?code=1 HTTP/1.1'], 404, missing],
  ['the root', ['GET / HTTP/1.1'], 404, missing],
  ['all of the server', ['OPTIONS * HTTP/1.1'], 400, malformed],
  ['the platform', ['GET /t/%70latform/jwks HTTP/1.1'], 404, missing],
  ['a route by a method that the router does not know', ['PROPFIND /internal HTTP/1.1'], 404, missing],
  ['a path that the router cannot decode', ['GET /t/demo/%zz HTTP/1.1'], 400, malformed],
  ['a path with a dot segment', ['GET /t/demo/../other/jwks HTTP/1.1'], 400, malformed],
  ['a malformed path of SCIM', ['GET /t/demo/scim/..%2f HTTP/1.1'], 400, scimMalformed],
  ['an absolute target', ['GET http://id.test/t/demo/jwks HTTP/1.1'], 400, malformed],
  ['an absolute target of another host', ['GET http://evil.test/t/demo/jwks HTTP/1.1'], 400, ambiguous],
  [
    'an upgrade of an internal route',
    ['GET /internal/v1/things HTTP/1.1', 'Upgrade: websocket'],
    404,
    missing,
  ],
  [
    'a malformed media type',
    ['POST /t/demo/token HTTP/1.1', 'Content-Type: x', 'Content-Length: 0'],
    400,
    wrongType,
  ],
  [
    'a large body that is not sent yet',
    ['POST /t/demo/token HTTP/1.1', 'Content-Length: 101'],
    413,
    tooLarge,
  ],
];

test.each(rejected)(
  'A proxied request for %s is rejected before any route, with a log entry and in the metrics.',
  async (_what, [target = '', ...headers], status, body) => {
    const connection = headers.some((line) => line.startsWith('Upgrade')) ? 'close, Upgrade' : 'close';
    const own = ['Host: id.test', `Connection: ${connection}`, 'X-Request-Id: 01234567', 'Via: 1.1 proxy'];
    kit.metrics.resetMetrics();
    const answer = await answerTo([target, ...own, ...headers]);
    expect([answer.status, answer.body]).toEqual([status, body]);
    expect(answer.head).toMatch(/\r\nx-request-id: 01234567\r\n/i);
    expect(answer.head).toMatch(/\r\nstrict-transport-security: max-age=31536000\r\n/i);
    expect(answer.head).toMatch(/\r\ncache-control: no-store\r\n/i);
    if (status === 413) expect(answer.head).toMatch(/\r\nconnection: close\r\n/i);
    expect(reached).toEqual([]);
    const [method, url = ''] = target.split(' ');
    const [path] = url.split('?');
    await eventually(() => lines.length > 0);
    expect(lines).toEqual([
      expect.objectContaining({ requestId: '01234567', method, path, status, level: 'info' }),
    ]);
    const counted = (await kit.metrics.metrics()).split('\n').filter((line) => line.includes('_count{'));
    expect(counted).toEqual([
      `http_request_duration_seconds_count{service="test",method="${method}",route="unmatched",status="${status}"} 1`,
    ]);
  },
);

test.each([
  ['an internal route', ['GET /internal/v1/things HTTP/1.1'], 200],
  ['a health route', ['GET /livez HTTP/1.1'], 200],
  ['an absolute target', ['GET http://id.test/t/demo/jwks HTTP/1.1'], 200],
  ['a large body', ['POST /t/demo/token HTTP/1.1', 'Content-Length: 101'], 200],
])(
  'A request of this machine for %s passes the perimeter.',
  async (_what, [target = '', ...headers], status) => {
    const answer = await answerTo(
      [target, 'Host: id.test', 'Connection: close', ...headers],
      target.startsWith('POST') ? 'x'.repeat(101) : '',
    );
    expect(answer.status).toBe(status);
  },
);

test('A proxied request with an impossible id is routed with an id that no resource has.', async () => {
  const own = ['Host: id.test', 'Connection: close', 'Via: 1.1 proxy'];
  const perimeter = ownPerimeter({ service: 'provisioning', bodyLimit: 100 });
  const other = createHttp(createKit({ name: 'test', logLevel: 'silent' }), { perimeter });
  other.get('/t/:tenant/scim/v2/Users/:id', async ({ url }) => url);
  await other.listen({ host: '127.0.0.1', port: 0 });
  const { port } = other.server.address() as AddressInfo;
  const answer = await rawExchange(port, ['GET /t/demo/scim/v2/Users/a%2Fb?x=1 HTTP/1.1', ...own]);
  await other.close();
  expect(answer).toMatch(/\r\n\r\n\/t\/demo\/scim\/v2\/Users\/!\?x=1$/);
});

async function answerTo(request: readonly string[], body = '') {
  const text = await rawExchange(port, request, body);
  const end = text.indexOf('\r\n\r\n');
  return { status: Number(text.slice(9, 12)), head: text.slice(0, end + 2), body: text.slice(end + 4) };
}
