import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import {
  createHttp,
  createKit,
  type HttpOptions,
  NeighbourProofs,
  neighbourHeader,
  streamSignatures,
} from '../../src/index.ts';
import { rawExchange } from '../support/raw-exchange.ts';

const key = (byte: number): Buffer => Buffer.alloc(32, byte);
const signaturesBy = (byte: number) => streamSignatures({ STREAM_KEY: key(byte) });
const proofsBy = (byte: number, now?: number): NeighbourProofs =>
  new NeighbourProofs(signaturesBy(byte), () => now ?? Date.now());
const minute = (): number => Math.floor(Date.now() / 60_000);

const started: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of started.splice(0)) await app.close();
});

function serve(options: HttpOptions = {}): FastifyInstance {
  const app = createHttp(createKit({ name: 'test', logLevel: 'silent', neighbours: proofsBy(1) }), options);
  app.get('/internal/v1/things', async () => 'inside');
  app.get('/t/:tenant/jwks', async () => 'keys');
  app.get('/.well-known/oauth-authorization-server/t/:tenant', async () => 'metadata');
  app.get('/boom', async () => {
    throw new Error('boom');
  });
  app.get('/stream', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: x\n\n');
  });
  started.push(app);
  return app;
}

describe('internal paths', () => {
  const inside = [
    '/internal/v1/things',
    '/%69nternal/v1/things',
    '/t/platform/jwks',
    '/t/%70latform/jwks',
    '/.well-known/oauth-authorization-server/t/platform',
  ];
  test.each(
    inside.flatMap((url) =>
      ['forwarded', 'via', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'].map((name) => [url, name]),
    ),
  )('The internal path %s is not found for a request that comes through a proxy (%s).', async (url, name) => {
    const app = serve();
    const unknown = await app.inject('/nowhere');
    const answer = await app.inject({ url, headers: { [name]: 'x' } });
    expect([answer.statusCode, answer.json()]).toEqual([404, unknown.json()]);
  });

  test('An internal path is not found for a request whose proxy adds its headers after thousands of the client.', async () => {
    const app = serve();
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const many = Array.from({ length: 3_000 }, () => 'a:');
    for (const url of inside) {
      const lines = [`GET ${url} HTTP/1.1`, 'Host: id.test', 'Connection: close', ...many];
      const [without, through] = [
        await rawExchange(port, lines),
        await rawExchange(port, [...lines, 'X-Forwarded-Host: id.test']),
      ];
      expect([url, without.slice(9, 12), through.slice(9, 12)]).toEqual([url, '200', '404']);
    }
  });

  test('An internal path is found for one of our processes that proves it, with any other headers.', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-host': 'id.test' };
    for (const url of inside) {
      const proven = { ...headers, [neighbourHeader]: proofsBy(1).value() };
      const answer = await serve().inject({ url, headers: proven, remoteAddress: '10.0.0.7' });
      expect([url, answer.statusCode]).toEqual([url, 200]);
    }
  });

  test('X-Forwarded-For without a proof marks a request from outside, except where a route verifies a credential.', async () => {
    for (const url of inside) {
      const answer = await serve().inject({ url, headers: { 'x-forwarded-for': '192.0.2.1' } });
      // The guard of an internal route verifies the token of the process.
      expect([url, answer.statusCode]).toEqual([url, /internal|nternal/.test(url) ? 200 : 404]);
    }
    const app = serve();
    app.post('/t/:tenant/token', { config: { verifiesNeighbour: true } }, async (request) => ({
      isInside: request.isInside,
    }));
    const token = (headers: Record<string, string>) =>
      app.inject({ method: 'POST', url: '/t/platform/token', headers });
    expect((await token({ 'x-forwarded-for': '192.0.2.1' })).json()).toEqual({ isInside: false });
    expect((await token({})).json()).toEqual({ isInside: true });
  });

  test.each([
    ['with another key', () => proofsBy(2).value()],
    ['of six minutes ago', () => proofsBy(1, Date.now() - 360_000).value()],
    ['of a time in six minutes', () => proofsBy(1, Date.now() + 360_000).value()],
    ['for a stream', () => `${minute()}.${signaturesBy(1).sign('live', 'http', String(minute()))}`],
    [
      'of another minute',
      () =>
        proofsBy(1)
          .value()
          .replace(/^\d+/, String(minute() - 1)),
    ],
    ['without a signature', () => `${minute()}.`],
    ['that is empty', () => ''],
  ])('A proof %s is rejected and makes a request an external one.', async (_what, proof) => {
    const answer = await serve().inject({
      url: '/t/platform/jwks',
      headers: { [neighbourHeader]: proof(), 'x-forwarded-for': '192.0.2.1' },
    });
    expect(answer.statusCode).toBe(404);
  });

  test('A proof by the second key is accepted, and an accepted one expires.', () => {
    let now = Date.now();
    const signatures = streamSignatures({ STREAM_KEY: key(1), STREAM_KEY_SECOND: key(2) });
    const proofs = new NeighbourProofs(signatures, () => now);
    const value = proofsBy(2).value();
    expect(proofs.accepts(value)).toBe(true);
    now += 360_000;
    expect(proofs.accepts(value)).toBe(false);
  });

  test('The paths of another tenant are not internal.', async () => {
    const headers = { 'x-forwarded-host': 'id.test' };
    expect((await serve().inject({ url: '/t/demo/jwks', headers })).statusCode).toBe(200);
  });
});

describe('Strict-Transport-Security', () => {
  test.each(['/t/demo/jwks', '/nowhere', '/boom', '/stream', '/%zz', '/readyz'])(
    'Strict-Transport-Security is on every answer when clients use https: %s.',
    async (url) => {
      const answered = async (publicOrigin: string): Promise<string | null> => {
        const origin = await serve({ publicOrigin }).listen({ host: '127.0.0.1', port: 0 });
        return (await fetch(origin + url)).headers.get('strict-transport-security');
      };
      expect(await answered('https://id.test')).toBe('max-age=31536000');
      expect(await answered('http://localhost:4000')).toBeNull();
    },
  );
});
