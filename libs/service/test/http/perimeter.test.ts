import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createHttp, createKit, type HttpOptions } from '../../src/index.ts';
import { rawExchange } from '../support/raw-exchange.ts';

const started: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of started.splice(0)) await app.close();
});

function serve(options: HttpOptions = {}): FastifyInstance {
  const app = createHttp(createKit({ name: 'test', logLevel: 'silent' }), options);
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

describe('what is meant for our own processes', () => {
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

  test('An internal path is found for a neighbouring service, which states the client address.', async () => {
    for (const url of inside) {
      const answer = await serve().inject({ url, headers: { 'x-forwarded-for': '192.0.2.1' } });
      expect([url, answer.statusCode]).toEqual([url, 200]);
    }
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
