import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { singletonFields } from '@ostiary/service';
import { rawExchange } from '../../libs/service/test/support/raw-exchange.ts';
import { runningDemo } from '../support/demo.ts';

const processes = ['auth', 'directory', 'provisioning', 'gateway'] as const;
type Name = (typeof processes)[number];

const demo = runningDemo();
const system = JSON.parse(readFileSync(process.env.OSTIARY_E2E_SYSTEM ?? '', 'utf8')) as Record<
  'urls' | 'metricsUrls',
  Record<Name, string>
>;
const portOf = (url: string): number => Number(new URL(url).port);
const listeners = processes.flatMap((name) => [
  [`${name}, public`, portOf(system.urls[name]), '/readyz'] as const,
  [`${name}, metrics`, portOf(system.metricsUrls[name]), '/metrics'] as const,
]);

/** Valid values, so that only their repetition is wrong. */
const good: Record<string, string> = {
  'content-length': '0',
  'transfer-encoding': 'chunked',
  host: 'id.test',
  expect: '100-continue',
};

describe.each(listeners)('the listener of %s', (_name, port, path) => {
  test('A request that has a singleton field twice is rejected.', async () => {
    for (const field of singletonFields) {
      const value = good[field] ?? 'one';
      const host = field === 'host' ? [] : ['Host: id.test'];
      const answer = await rawExchange(port, [
        `GET ${path} HTTP/1.1`,
        ...host,
        'Connection: close',
        `${field}: ${value}`,
        `${field}: ${value}`,
      ]);
      const [status] = /^HTTP\/1\.1 (?!100)\d+ /m.exec(answer) ?? [];
      expect([field, status]).toEqual([field, 'HTTP/1.1 400 ']);
    }
  });

  test('The listener serves metrics or everything else, not both.', async () => {
    const status = async (at: string): Promise<number> =>
      (await fetch(`http://127.0.0.1:${port}${at}`)).status;
    const isMetrics = path === '/metrics';
    expect(await status('/metrics')).toBe(isMetrics ? 200 : 404);
    expect(await status('/livez')).toBe(isMetrics ? 404 : 200);
  });
});

test('A WebSocket request that has a singleton field twice is rejected.', async () => {
  const answer = await rawExchange(portOf(system.urls.gateway), [
    'GET /graphql HTTP/1.1',
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol: graphql-transport-ws',
    'Authorization: Bearer one',
    'Authorization: Bearer two',
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});

const inside = [
  '/internal/v1/tenants',
  '/internal/v1/revocations',
  '/t/platform/jwks',
  '/t/platform/token',
  '/t/platform/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server/t/platform',
  '/.well-known/openid-configuration/t/platform',
  '/.well-known/ssf-configuration/t/platform',
  '/t/%70latform/jwks',
  '/t/platform/graphql',
];

test.each(inside)('The path %s does not exist for an external caller, at any process.', async (path) => {
  for (const name of processes) {
    // Headers of an ingress that forwards all headers of its client.
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'id.test',
      'x-forwarded-proto': 'https',
    };
    for (const method of ['GET', 'POST']) {
      const { status } = await fetch(system.urls[name] + path, { method, headers });
      expect([name, method, status]).toEqual([name, method, 404]);
    }
  }
  const { status } = await fetch(demo.origin + path);
  expect(status).toBe(404);
});

test('Internal requests between services still work.', async () => {
  const { status } = await fetch(`${system.urls.auth}/t/platform/jwks`);
  expect(status).toBe(200);
});
