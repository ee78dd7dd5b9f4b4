import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { OutgoingFetchError, type SafeFetch } from '@ostiary/service';
import { type ClientLogos, createClientLogos } from '../../src/data/client-logos.ts';
import type { Client } from '../../src/domain/ports.ts';
import { png } from './pictures.ts';
import { eventually, startTestService, type TestService } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Waiting {
  url: string;
  answer(outcome: 'a picture' | 'none' | 'broken'): void;
}

/** Requests that were sent and not answered yet. */
let waiting: Waiting[] = [];
let most = 0;
afterEach(() => {
  for (const one of waiting) one.answer('none');
  waiting = [];
  most = 0;
});

const fetch: SafeFetch = (url) =>
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
    waiting.push(one);
    most = Math.max(most, waiting.length);
  });

/** The logos as one process has them. */
const newProcess = (): ClientLogos =>
  createClientLogos({ sql: service.deps.database.sql, fetch, clock: Date.now, log: service.kit.log });

let serial = 0;
/** So many clients with a logo each, in a tenant of their own. */
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
/** Whatever else was to be sent has been by now. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 300));

test('of one tenant no more than four are fetched at a time, however many pages are opened', async () => {
  const apps = await clients(10);
  const logos = newProcess();
  for (let round = 0; round < 3; round += 1) await open(logos, apps);
  await eventually(async () => waiting.length === 4);
  await open(logos, apps);
  await settled();
  expect([waiting.length, most]).toEqual([4, 4]);
  // Each that has ended makes room for another, when a page asks for it; nothing is fetched twice.
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

test('of all tenants no more than sixteen, and one that hangs takes no more than its own', async () => {
  const tenants = await Promise.all(Array.from({ length: 6 }, () => clients(5)));
  const logos = newProcess();
  await Promise.all(tenants.map((apps) => open(logos, apps)));
  await eventually(async () => waiting.length === 16);
  await Promise.all(tenants.map((apps) => open(logos, apps)));
  await settled();
  expect(most).toBe(16);
  for (const [first] of tenants) expect(ofTenant(first as Client)).toBeLessThanOrEqual(4);
});

test('whatever goes wrong gives the place back', async () => {
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

test('of twenty pages in two processes one fetches', async () => {
  const [app] = (await clients(1)) as [Client];
  const processes = [newProcess(), newProcess()];
  await Promise.all(Array.from({ length: 20 }, (_, n) => processes[n % 2]?.digestOf(app)));
  await eventually(async () => waiting.length > 0);
  await settled();
  expect(waiting.map(({ url }) => url)).toEqual([app.logoUri]);
});
