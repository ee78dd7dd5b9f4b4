import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createHttp, createKit, createMetricsServer, singletonFields } from '../../src/index.ts';
import { rawExchange } from '../support/raw-exchange.ts';

let app: FastifyInstance;
let ports: Record<'http' | 'metrics', number>;
let reached = 0;
const kit = createKit({ name: 'test', logLevel: 'silent' });
const metrics = createMetricsServer(kit);

beforeAll(async () => {
  app = createHttp(kit);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.all('/*', async () => {
    reached += 1;
    return 'reached';
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  await new Promise<void>((resolve) => metrics.listen(0, '127.0.0.1', resolve));
  ports = {
    http: (app.server.address() as AddressInfo).port,
    metrics: (metrics.address() as AddressInfo).port,
  };
});
afterAll(async () => {
  await app.close();
  metrics.close();
});

const plain = ['Host: id.test', 'Connection: close'];
/** Valid values, so that only their number is wrong. */
const goodValues: Record<string, string> = {
  'content-length': '0',
  'transfer-encoding': 'chunked',
  host: 'id.test',
  expect: '100-continue',
};

describe.each(['http', 'metrics'] as const)('a request to the %s server', (which) => {
  const refused = async (lines: readonly string[], body?: string): Promise<void> => {
    const before = reached;
    const whole = await rawExchange(ports[which], lines, body);
    const answer = whole.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(reached).toBe(before);
  };

  test.each([...singletonFields])('A request with two %s headers is rejected.', async (name) => {
    const value = goodValues[name] ?? 'one';
    const others = plain.filter((line) => !line.toLowerCase().startsWith(`${name}:`));
    await refused([
      'GET /metrics HTTP/1.1',
      ...others,
      `${name}: ${value}`,
      `${name.toUpperCase()}: ${value}`,
    ]);
  });

  test.each([
    ['no Host', ['GET /metrics HTTP/1.1', 'Connection: close']],
    ['a Host that is a list', ['GET /metrics HTTP/1.1', 'Host: id.test, evil.test', 'Connection: close']],
    ['a Host with somebody in it', ['GET /metrics HTTP/1.1', 'Host: a@id.test', 'Connection: close']],
    ['a Host with a path', ['GET /metrics HTTP/1.1', 'Host: id.test/internal', 'Connection: close']],
    ['an empty Host', ['GET /metrics HTTP/1.1', 'Host:', 'Connection: close']],
    ['a second host in its target', ['GET http://evil.test/metrics HTTP/1.1', ...plain]],
    [
      'a length and a coding',
      ['POST /metrics HTTP/1.1', ...plain, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
    ],
    ['another coding', ['POST /metrics HTTP/1.1', ...plain, 'Transfer-Encoding: gzip, chunked']],
    ['a coding in disguise', ['POST /metrics HTTP/1.1', ...plain, 'Transfer-Encoding: xchunked']],
    ['two lengths in one line', ['POST /metrics HTTP/1.1', ...plain, 'Content-Length: 4, 4']],
    ['a signed length', ['POST /metrics HTTP/1.1', ...plain, 'Content-Length: +4']],
    ['a space before the colon', ['GET /metrics HTTP/1.1', ...plain, 'Authorization : Bearer x']],
    ['a folded line', ['GET /metrics HTTP/1.1', ...plain, 'X-Long: a', ' Host: evil.test']],
    ['a NUL in a value', ['GET /metrics HTTP/1.1', ...plain, 'X-Odd: a\0b']],
  ])('A request with %s is rejected.', async (_what, lines) =>
    refused(lines, lines[0]?.startsWith('POST') ? '0\r\n\r\n' : ''),
  );

  test('A request with each of the headers once is answered.', async () => {
    const before = reached;
    const answer = await rawExchange(ports[which], [
      'GET /metrics HTTP/1.1',
      ...plain,
      ...['authorization', 'dpop', 'content-type', 'origin', 'user-agent'].map((name) => `${name}: one`),
      'Accept: a',
      'Accept: b',
      'X-Forwarded-For: 192.0.2.1',
      'X-Forwarded-For: 192.0.2.2',
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(reached).toBe(before + (which === 'http' ? 1 : 0));
  });
});

test('The metrics server serves only metrics.', async () => {
  const url = `http://127.0.0.1:${ports.metrics}`;
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
  for (const path of ['/', '/livez', '/internal/v1/tenants', '/metrics/', '/metrics?x=1']) {
    expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
  }
  expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
});
