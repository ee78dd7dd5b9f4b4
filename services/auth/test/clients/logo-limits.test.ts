import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createSafeFetch, OutgoingFetchError, type SafeFetch } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { FetchedClientLogos } from '../../src/clients/data/client-logos.ts';
import type { Client } from '../../src/clients/domain/client.ts';
import type { ClientLogos } from '../../src/clients/domain/client-logos.ts';
import { png } from '../support/sign-in/pictures.ts';
import { startTestService, type TestService } from '../support/sign-in/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Waiting {
  url: string;
  answer(outcome: 'a picture' | 'none' | 'broken'): void;
}

/** Requests without a response so far. */
let waiting: Waiting[] = [];
let most = 0;
afterEach(() => {
  for (const one of waiting) one.answer('none');
  waiting = [];
  most = 0;
});

const fetch: SafeFetch = (url, { signal } = {}) =>
  new Promise((resolve, reject) => {
    const one: Waiting = {
      url,
      answer(outcome) {
        waiting = waiting.filter((other) => other !== one);
        if (outcome === 'a picture')
          resolve({ body: png(4, 4), contentType: 'image/png', maxAge: undefined });
        else if (outcome === 'none') reject(new OutgoingFetchError('failed', 'The answer has status 404.'));
        else reject(new Error('broken'));
      },
    };
    signal?.addEventListener('abort', () => one.answer('none'));
    waiting.push(one);
    most = Math.max(most, waiting.length);
  });

/** Creates the logo service of one process. */
const newProcess = (clock = Date.now): ClientLogos =>
  new FetchedClientLogos({ sql: service.deps.database.sql, fetch, clock, log: service.kit.log });

let serial = 0;
/** Registers clients with a logo in a new tenant. */
async function clients(count: number): Promise<Client[]> {
  const of = `pictured-${++serial}`;
  service.directory.addTenant(of, of);
  const made: Client[] = [];
  for (let n = 0; n < count; n += 1) {
    const logo_uri = `https://apps.example/${of}/${n}.png`;
    made.push(await service.client({ client_name: `App ${n}`, logo_uri }, of));
  }
  return made;
}
const open = (logos: ClientLogos, of: readonly Client[]) =>
  Promise.all(of.map((client) => logos.digestOf(client)));
const ofTenant = ({ tenant }: Client) => waiting.filter(({ url }) => url.includes(`/${tenant}/`)).length;
/** Waits until further requests would have been sent. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 300));

test('At most four logos of one tenant are fetched at the same time, regardless of the number of opened pages.', async () => {
  const apps = await clients(10);
  const logos = newProcess();
  for (let round = 0; round < 3; round += 1) await open(logos, apps);
  await eventually(async () => waiting.length === 4);
  await open(logos, apps);
  await settled();
  expect([waiting.length, most]).toEqual([4, 4]);
  // Each finished fetch makes room for another one when a page requests it; nothing is fetched twice.
  const seen = new Set<string>();
  await eventually(async () => {
    for (const one of waiting) {
      expect(seen.has(one.url)).toBe(false);
      seen.add(one.url);
      one.answer('a picture');
    }
    await open(logos, apps);
    return seen.size === apps.length;
  });
  expect(most).toBe(4);
  await eventually(async () => (await open(logos, apps)).every((digest) => digest !== undefined));
});

test('At most sixteen logos of all tenants are fetched concurrently, and a tenant that hangs uses only its own share.', async () => {
  const tenants = await Promise.all(Array.from({ length: 6 }, () => clients(5)));
  const logos = newProcess();
  await Promise.all(tenants.map((apps) => open(logos, apps)));
  await eventually(async () => waiting.length === 16);
  await Promise.all(tenants.map((apps) => open(logos, apps)));
  await settled();
  expect(most).toBe(16);
  for (const [first] of tenants) expect(ofTenant(first as Client)).toBeLessThanOrEqual(4);
});

test.each([
  ['four tenants that take all', 4, 4],
  ['as many tenants as there are places', 16, 1],
])(
  'The logo of another tenant is still fetched when the servers of %s hang.',
  async (_name, tenants, each) => {
    let now = Date.now();
    const logos = newProcess(() => now);
    const hanging = await Promise.all(Array.from({ length: tenants }, () => clients(each + 1)));
    await Promise.all(hanging.map((apps) => open(logos, apps.slice(0, each))));
    await eventually(async () => waiting.length === 16);
    const others = await clients(2);
    // A fetch that has just begun is not aborted.
    await open(logos, others);
    await settled();
    expect(ofTenant(others[0] as Client)).toBe(0);
    now += 1_500;
    // A tenant with a place does not get the place of another tenant.
    await Promise.all(hanging.map((apps) => open(logos, apps)));
    await settled();
    expect([waiting.length, most]).toEqual([16, 16]);
    await eventually(async () => {
      await open(logos, others);
      return ofTenant(others[0] as Client) === 1;
    });
    expect(most).toBe(16);
    for (const apps of hanging) expect(ofTenant(apps[0] as Client)).toBeGreaterThanOrEqual(each - 1);
    waiting.find(({ url }) => url === others[0]?.logoUri || url === others[1]?.logoUri)?.answer('a picture');
    await eventually(async () => (await open(logos, others)).some((digest) => digest !== undefined));
    // Waits for the second fetch of the tenant, so that it does not affect the next test.
    await settled();
  },
);

test('A fetch from a server that sends slowly is aborted when its time limit has passed.', async () => {
  let requests = 0;
  const slow = createServer((_request, response) => {
    requests += 1;
    response.writeHead(200, { 'content-type': 'image/png' });
    const drip = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = slow.address() as AddressInfo;
    const safeFetch = createSafeFetch({ allowPrivate: true, allowHttp: true });
    const given = { timeoutMs: 400 };
    await expect(safeFetch(`http://127.0.0.1:${port}/logo.png`, given)).rejects.toThrow('timed out');
    const soon = { signal: AbortSignal.timeout(100) };
    await expect(safeFetch(`http://127.0.0.1:${port}/logo.png`, soon)).rejects.toThrow('timed out');
    expect(requests).toBe(2);
  } finally {
    slow.closeAllConnections();
    slow.close();
  }
});

test('A failed fetch of any kind releases its place.', async () => {
  const apps = await clients(9);
  const logos = newProcess();
  await open(logos, apps.slice(0, 4));
  await eventually(async () => waiting.length === 4);
  for (const one of waiting) one.answer('broken');
  await eventually(async () => {
    await open(logos, apps.slice(4, 8));
    return waiting.length === 4;
  });
  for (const one of waiting) one.answer('none');
  await eventually(async () => {
    await open(logos, apps.slice(8));
    return waiting.length === 1;
  });
});

test('Of twenty pages in two processes, one fetches the logo.', async () => {
  const [app] = (await clients(1)) as [Client];
  const processes = [newProcess(), newProcess()];
  await Promise.all(Array.from({ length: 20 }, (_, n) => processes[n % 2]?.digestOf(app)));
  await eventually(async () => waiting.length > 0);
  await settled();
  expect(waiting.map(({ url }) => url)).toEqual([app.logoUri]);
});
