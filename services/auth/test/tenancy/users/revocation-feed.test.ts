import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RevocationFollower, RevocationList, type RevocationPage, serviceAudience } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import { eventually, testStreamSignatures } from '@ostiary/service/testing';
import { pruneExpired } from '../../../src/maintenance.ts';
import { revocationPage } from '../../../src/tenancy/users/data/revocations.ts';
import type { NewRevocation } from '../../../src/tenancy/users/domain/revocation-feed.ts';
import {
  type Backend,
  createBackend,
  type RunningAuth,
  secrets,
  startAuth,
} from '../../support/running-auth.ts';

let backend: Backend;
let auth: RunningAuth;
let authorization: string;

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  const { body } = await auth.post(
    '/t/platform/token',
    { grant_type: 'client_credentials', resource: serviceAudience('auth') },
    { basic: ['gateway', secrets.gateway] },
  );
  authorization = `Bearer ${body.access_token}`;
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

const expiresAt = Math.ceil(Date.now() / 1000) + 600;
const entry = (key: string): NewRevocation => ({ tenant: 'demo', kind: 'jti', key, expiresAt });
const append = (keys: readonly string[]) =>
  auth.database.transaction((tx) => auth.deps.revocations.append(tx, keys.map(entry)));

async function page(after?: string): Promise<RevocationPage> {
  const query = after === undefined ? '' : `?${new URLSearchParams({ after })}`;
  const { status, body } = await auth.get(`/internal/v1/revocations${query}`, { authorization });
  expect(status).toBe(200);
  return body as unknown as RevocationPage;
}

/** Reads from a cursor to the last page. */
async function reading(after?: string): Promise<{ pages: RevocationPage[]; keys: string[]; cursor: string }> {
  const pages = [await page(after)];
  while (pages.at(-1)?.more) pages.push(await page(pages.at(-1)?.cursor));
  return {
    pages,
    keys: pages.flatMap(({ entries }) => entries.map(({ key }) => key)),
    cursor: pages.at(-1)?.cursor ?? '',
  };
}

/** Opens a transaction with an appended entry; returns a function that commits it. */
async function open(key: string): Promise<() => Promise<void>> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let done: Promise<unknown> = Promise.resolve();
  await new Promise<void>((appended) => {
    done = auth.database.transaction(async (tx) => {
      await auth.deps.revocations.append(tx, [entry(key)]);
      appended();
      await held;
    });
  });
  return async () => {
    release();
    await done;
  };
}

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

const missingFrom = (found: readonly string[], expected: readonly string[]): string[] => {
  const known = new Set(found);
  return expected.filter((key) => !known.has(key));
};

test('5,000 revocations are returned in pages of 1,000, none twice and none missing, also within one transaction.', async () => {
  const before = (await reading()).cursor;
  const expected = numbered('many', 5_000);
  await append(expected.slice(0, 3_500));
  for (let start = 3_500; start < 5_000; start += 250) await append(expected.slice(start, start + 250));
  const { pages, keys } = await reading(before);
  expect(pages.map(({ entries }) => entries.length)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
  expect(pages.map(({ more }) => more)).toEqual([true, true, true, true, false]);
  expect(keys).toEqual(expected);
  expect(missingFrom((await reading()).keys, expected)).toEqual([]);
});

test('A revocation that commits behind the reader, between two pages, is returned by the next read.', async () => {
  const before = (await reading()).cursor;
  const early = await open('late-1');
  await append(numbered('first', 1_500));
  const middle = await open('late-2');
  await append(numbered('second', 1_500));
  const first = await page(before);
  expect(first.more).toBe(true);
  const second = await page(first.cursor);
  // Both are before the position of the reader, one of them by a large distance.
  await early();
  await middle();
  await append(['after-all']);
  const rest = await reading(second.cursor);
  const keys = [...first.entries, ...second.entries].map(({ key }) => key).concat(rest.keys);
  expect(missingFrom(keys, [...numbered('first', 1_500), ...numbered('second', 1_500)])).toEqual([]);
  expect(missingFrom((await reading(rest.cursor)).keys, ['late-1', 'late-2'])).toEqual([]);
});

test('A follower keeps up with 5,000 revocations that eight writers commit out of order.', async () => {
  const list = new RevocationList();
  const known = new Set<string>();
  list.onRevoked(({ key }) => known.add(key));
  let largest = 0;
  const follower = new RevocationFollower({
    list,
    redisUrl: process.env.TEST_REDIS_URL ?? '',
    // The stream delivers nothing, so the feed alone must deliver all entries.
    prefix: `${backend.prefix}-elsewhere`,
    signatures: testStreamSignatures,
    log: auth.deps.kit.log,
    clock: () => performance.now(),
    pullEveryMs: 10,
    pull: async (after) => {
      const one = await page(after);
      largest = Math.max(largest, one.entries.length);
      return one;
    },
  });
  follower.start();
  const expected = numbered('race', 5_000);
  const waiting = [...expected];
  await Promise.all(
    Array.from({ length: 7 }, async (_, writer) => {
      while (waiting.length > 0) {
        const keys = waiting.splice(0, 1 + ((writer * 37) % 90));
        await auth.database.transaction(async (tx) => {
          await auth.deps.revocations.append(tx, keys.slice(0, 1).map(entry));
          if (writer % 3 === 0) await tx.query('SELECT pg_sleep(0.02)');
          await auth.deps.revocations.append(tx, keys.slice(1).map(entry));
        });
      }
    }),
  );
  const missing = (): string[] => expected.filter((key) => !known.has(key));
  await eventually(async () => missing().length === 0);
  expect(largest).toBeLessThanOrEqual(1_000);
  await follower.stop();
});

test.each([
  ['nonsense', (_: string) => 'nonsense'],
  ['another database', (cursor: string) => cursor.replace(/^\d+/, '1')],
  ['a server that was started at another time', (cursor: string) => cursor.replace(/-\d+/, '-9')],
  ['no server', (cursor: string) => cursor.replace(/-\d+/, '')],
  ['the future', (cursor: string) => `${cursor.split('.')[0]}.99999999999`],
  ['no place at all', (cursor: string) => `${cursor}.18446744073709551616.1`],
  ['a number too large', (cursor: string) => `${cursor}.1.9999999999999999999`],
  ['half a place', (cursor: string) => `${cursor}.1`],
  ['SQL', (cursor: string) => `${cursor}.1.1' OR '1'='1`],
])('A cursor of %s starts again from the beginning.', async (_what, spoil) => {
  const all = await page();
  expect((await page(spoil((await reading()).cursor))).entries).toEqual(all.entries);
});

test('Revocations from the dump of another server with higher transaction numbers are read to the end.', async () => {
  const { sql } = auth.database;
  const before = (await reading()).cursor;
  await sql.query(
    `INSERT INTO auth.revocations (xid, tenant, kind, key, expires_at)
     SELECT (pg_current_xact_id()::text::bigint + 1000000 + n)::text::xid8, 'demo', 'jti', 'restored-' || n, now() + interval '1 minute'
       FROM generate_series(1, 2500) n`,
  );
  const pages = [await page(before)];
  while (pages.at(-1)?.more && pages.length < 10) pages.push(await page(pages.at(-1)?.cursor));
  expect(pages.map(({ entries }) => entries.length)).toEqual([1_000, 1_000, 500]);
  await sql.query(`DELETE FROM auth.revocations WHERE key LIKE 'restored-%'`);
});

test('A revocation is kept as long as tokens of a longer lifetime than the current one may exist, and no longer.', async () => {
  const { sql } = auth.database;
  const remembered = async (key: string) => {
    const [published] = await append([key]);
    const { rows } = await sql.query<{ expiresAt: number }>(
      `SELECT extract(epoch FROM expires_at)::float8 AS "expiresAt" FROM auth.revocations WHERE key = $1`,
      [key],
    );
    expect(published?.expiresAt).toBe(rows[0]?.expiresAt);
    return rows[0]?.expiresAt;
  };
  const used = (seconds: number, ago: number) =>
    sql.query(
      `INSERT INTO auth.access_token_lifetimes (seconds, used_at) VALUES ($1, now() - make_interval(secs => $2))
       ON CONFLICT (seconds) DO UPDATE SET used_at = excluded.used_at`,
      [seconds, ago],
    );
  const today = auth.deps.env.ACCESS_TOKEN_TTL_SECONDS;
  expect(await remembered('usual')).toBe(expiresAt);
  await used(86_400, 90_000);
  expect(await remembered('after a day')).toBe(expiresAt);
  await used(3_600, 3_000);
  expect(await remembered('after an hour less')).toBe(expiresAt + 3_600 - today);
  await pruneExpired(sql);
  const { rows } = await sql.query<{ seconds: number }>(
    'SELECT seconds FROM auth.access_token_lifetimes ORDER BY 1',
  );
  expect(rows.map(({ seconds }) => seconds)).toEqual([today, 3_600]);
  await sql.query('DELETE FROM auth.access_token_lifetimes WHERE seconds = 3600');
});

test('A page of the feed is found by the index, independent of the length of the feed.', async () => {
  const { sql } = auth.database;
  await sql.query('ANALYZE auth.revocations');
  const { cursor } = await reading();
  const seen: string[] = [];
  const watched: Sql = {
    query: async (text, values) => {
      if (text.includes('FROM auth.revocations r')) {
        const { rows } = await sql.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
        seen.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      }
      return sql.query(text, values);
    },
  };
  await revocationPage(watched, cursor);
  expect(seen.join()).toMatch(
    /Index (Only )?Scan using revocations_xid_idx|Bitmap Index Scan on revocations_xid_idx/,
  );
});
