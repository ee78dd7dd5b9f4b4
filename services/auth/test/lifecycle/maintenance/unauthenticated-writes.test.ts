import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { rowsByTable } from '@ostiary/database/testing';
import { keptKeys, redisNames } from '@ostiary/service/testing';
import { tenant } from '../../support/sign-in/service.ts';
import { inventory } from '../../support/unauthenticated/inventory.ts';
import {
  answers,
  atSignIn,
  limits,
  newAddress,
  proofsAtToken,
  type Send,
  service,
  setUpUnauthenticated,
  web,
} from '../../support/unauthenticated/writing.ts';

/**
 * Data that a caller without credentials can store in Redis or PostgreSQL, at every route that answers it: amount per
 * address, size, and lifetime. A route that is missing here fails the first test.
 */

setUpUnauthenticated();

interface Contents {
  names: ReadonlySet<string>;
  rows: number;
}

/** Returns the stored data, without that of jobs. */
async function contents(): Promise<Contents> {
  const { redis, database, env } = service.deps;
  const names = await redisNames(redis, env.REDIS_PREFIX);
  const tables = await rowsByTable(database.sql, 'auth');
  // One row per tenant, day and outcome.
  tables.delete('sign_in_counts');
  tables.delete('sign_in_hours');
  // Moved to the stream of subscribers within a second.
  tables.delete('live_events');
  return {
    names: new Set(names.filter((name) => !/:(events-|live|revocations)/.test(name))),
    rows: [...tables.values()].reduce((sum, each) => sum + each, 0),
  };
}

const newNames = (before: Contents, now: Contents): string[] =>
  [...now.names].filter((name) => !before.names.has(name));

async function press(send: Send, address: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < times; sent += 10) {
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, () => send(address)))));
  }
  return statuses;
}

const wasLetIn = (status: number): boolean => status !== 429;

test('Every route that answers without a token is in the inventory.', () => {
  const open = answers.filter(
    ({ isProtected, status, url }) => !isProtected && status !== 405 && !url.startsWith('/internal/'),
  );
  const found = new Set(open.map(({ method, url }) => `${method} ${url}`));
  expect([...found].filter((route) => !Object.hasOwn(inventory, route)).toSorted()).toEqual([]);
  expect(Object.keys(inventory).filter((route) => !found.has(route))).toEqual([]);
});

describe('routes that store nothing', () => {
  const silent = Object.entries(inventory).filter(([, writings]) => writings.length === 0);

  test.each(silent.map(([route]) => route))(
    'The route %s leaves nothing in Redis or PostgreSQL.',
    async (route) => {
      const [method = '', url = ''] = route.split(' ');
      const { browser, fields } = await atSignIn();
      const before = await contents();
      const path = url.replace(':tenant', tenant).replace(/:\w+/g, 'x');
      for (let sent = 0; sent < 12; sent += 1) {
        const about = { ...fields, client_id: web.clientId, token: randomUUID(), user_code: 'BBBB-BBBB' };
        const query = new URLSearchParams(about);
        if (method === 'GET') await browser.get(`${path}?${query}`);
        else await browser.post(path, { ...about, action: 'continue', credential: '{}' });
      }
      const after = await contents();
      expect(newNames(before, after)).toEqual([]);
      expect(after.rows).toBe(before.rows);
    },
  );
});

describe('limits per address', () => {
  const writing = Object.entries(inventory).flatMap(([route, writings]) =>
    writings.map((each) => [`${route}: ${each.what}`, each] as const),
  );

  test.each(writing)(
    'From one address, %s leaves as much as the inventory says, and no more.',
    async (_name, { bound, perSecond, keys, rows, bytes, seconds, secondsEach = 0, prepare }) => {
      const send = await prepare();
      const address = newAddress();
      const before = await contents();
      const begun = performance.now();
      const statuses = await press(send, address, 2 * bound + 20);
      const most = () => bound + Math.ceil(((performance.now() - begun) / 1_000) * perSecond) + 1;
      expect(statuses.filter(wasLetIn).length).toBeLessThanOrEqual(most());
      // Not necessarily the last one: on a slow machine another one may be accepted in the meantime.
      expect(statuses).toContain(429);
      expect(statuses.filter(wasLetIn).length).toBeGreaterThanOrEqual(Math.floor(bound * 0.9) - 1);

      const after = await contents();
      const left = [...(await keptKeys(service.deps.redis, newNames(before, after)))];
      // In addition, the counters of the address, the client and the tenant.
      expect(left.length).toBeLessThanOrEqual(most() * keys + 4);
      expect(after.rows - before.rows).toBeLessThanOrEqual(most() * rows);
      const longest = seconds + (most() - bound) * secondsEach;
      expect(left.filter(([, { ms }]) => ms < 0 || ms > longest * 1_000)).toEqual([]);
      expect(left.filter((key) => key[1].bytes > bytes)).toEqual([]);

      // Further requests store nothing more, and do not affect other addresses.
      const more = await press(send, address, 30);
      const letIn = more.filter(wasLetIn).length;
      const then = await contents();
      expect(newNames(after, then).length).toBeLessThanOrEqual(letIn * keys);
      expect(then.rows - after.rows).toBeLessThanOrEqual(letIn * rows);
      expect(wasLetIn(await send(newAddress()))).toBe(true);
    },
  );
});

test('With any number of addresses that send requests concurrently, each of two networks has a separate limit.', async () => {
  const send = await proofsAtToken.prepare();
  const network = randomBytes(2).toString('hex');
  const statuses = await Promise.all(
    Array.from({ length: 3 * limits.DPOP_PROOFS_PER_MINUTE }, (_, at) =>
      send(`2001:db8:${network}:1::${(at + 1).toString(16)}`),
    ),
  );
  // All addresses of an IPv6 /64 are one network.
  expect(statuses.filter(wasLetIn)).toHaveLength(limits.DPOP_PROOFS_PER_MINUTE);
  expect(wasLetIn(await send(`2001:db8:${network}:2::1`))).toBe(true);
});
