import { createHook } from 'node:async_hooks';
import { type AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { Agent } from 'undici';
import { RawUpstream } from '../support/raw-upstream.ts';
import { type RunningGateway, startGateway } from '../support/system.ts';

/** Counts the cost of a request instead of measuring time, so the test gives the same result on every machine. */
let service: RawUpstream;
let gateway: RunningGateway;
let client: Agent;

/** Number of writes to sockets; each is one system call. */
interface Writes {
  towardsService: number;
  towardsClient: number;
}
const writes: Writes = { towardsService: 0, towardsClient: 0 };
type Write = (this: Socket, ...parameters: unknown[]) => unknown;
const sockets = Socket.prototype as unknown as { _writeGeneric: Write };
const written = sockets._writeGeneric;

beforeAll(async () => {
  service = await RawUpstream.start();
  const { origin } = service;
  gateway = await startGateway(new Issuer(), { auth: origin, directory: origin, provisioning: origin });
  const { port } = gateway.app.server.address() as AddressInfo;
  sockets._writeGeneric = function counted(...parameters) {
    if (this.remotePort === service.port) writes.towardsService += 1;
    if (this.localPort === port) writes.towardsClient += 1;
    return written.apply(this, parameters);
  };
  client = new Agent({ connections: 1, pipelining: 1 });
});
afterAll(async () => {
  sockets._writeGeneric = written;
  await client.close();
  await gateway.app.close();
  await service.stop();
});
beforeEach(() => {
  service.reset();
  service.answer(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 800\r\n\r\n${'x'.repeat(800)}`,
  );
});

const times = 40;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const requests = {
  'a token request': { method: 'POST', path: '/t/demo/token', headers: form, body: 'grant_type=x' },
  'a read of userinfo': { method: 'GET', path: '/t/demo/userinfo' },
  'a read of metadata': { method: 'GET', path: '/.well-known/oauth-authorization-server/t/demo' },
  'a SCIM read': { method: 'GET', path: '/t/demo/scim/v2/Users/1' },
  'a SCIM write': {
    method: 'POST',
    path: '/t/demo/scim/v2/Users',
    body: '{}',
    headers: { 'content-type': 'application/scim+json' },
  },
} as const;

async function ask(name: keyof typeof requests): Promise<void> {
  const { statusCode, body } = await client.request({ origin: gateway.url, ...requests[name] });
  expect([statusCode, (await body.text()).length]).toEqual([200, 800]);
}

test.each(Object.keys(requests) as (keyof typeof requests)[])(
  'Of %s, each call causes one request to the service, on a persistent connection, with one write to it and one to the client.',
  async (name) => {
    await ask(name);
    const before = { ...writes, requests: service.requests };
    for (let time = 0; time < times; time += 1) await ask(name);
    expect({
      requests: service.requests - before.requests,
      connections: service.connections.length,
      towardsService: writes.towardsService - before.towardsService,
      towardsClient: writes.towardsClient - before.towardsClient,
    }).toEqual({ requests: times, connections: 1, towardsService: times, towardsClient: times });
  },
);

test('Concurrent requests share connections, which stay open for the next ones.', async () => {
  const many = async () => Promise.all(Array.from({ length: times }, () => ask('a read of userinfo')));
  await many();
  const { length } = service.connections;
  await many();
  expect(service.connections).toHaveLength(length);
});

test('A request creates no timers and promises besides those of the HTTP client and server.', async () => {
  await ask('a read of userinfo');
  const made = new Map<string, number>();
  const hook = createHook({ init: (_id, type) => void made.set(type, (made.get(type) ?? 0) + 1) });
  hook.enable();
  for (let time = 0; time < times; time += 1) await ask('a read of userinfo');
  hook.disable();
  const each = (type: string): number => (made.get(type) ?? 0) / times;
  // Each request creates a constant number. Clients on a slow machine occasionally create one more.
  expect(each('Timeout')).toBeLessThan(2.5);
  expect(each('PROMISE')).toBeLessThan(6.5);
});
