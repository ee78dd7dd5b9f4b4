import { expect, test } from '@jest/globals';
import { RevocationList } from '@ostiary/access';
import type { Logger } from '@ostiary/service';
import type { Client, SubjectIdentifier } from '../../../src/clients/index.ts';
import { SessionIdentifiers } from '../../../src/identity/index.ts';
import { AudienceFeed } from '../../../src/oauth/feed/domain/audience-feed.ts';
import { DigestAllowance } from '../../../src/oauth/feed/domain/digest-allowance.ts';
import { SharedCache } from '../../../src/oauth/feed/domain/shared-cache.ts';
import { snapshotOf } from '../../../src/tenancy/users/domain/feed-snapshot.ts';
import { RevocationLog } from '../../../src/tenancy/users/domain/revocation-log.ts';
import { double } from '../../support/double.ts';
import type { Page } from './follower.ts';

const audience = 'https://orders.example';
const of = { tenant: 'demo', audience };
const key = () => Buffer.alloc(32, 1);
const expiresAt = Math.ceil(Date.now() / 1000) + 600;

async function read(feed: AudienceFeed, log: RevocationLog, after?: string): Promise<Page> {
  const position = after === undefined ? undefined : feed.positionOf(of, after);
  return JSON.parse(`${(await feed.page(log, of, position)).page.json}}`) as Page;
}

/** Returns a feed with revoked users, for a number of pairwise clients. */
function setUp({ users, clients }: { users: number; clients: number }) {
  const counts = { lists: 0, identifiers: 0, digests: 0 };
  const log = new RevocationLog({
    tenant: 'demo',
    list: new RevocationList(),
    monotonic: () => 0,
    clock: Date.now,
    journal: {
      ofTenant: async () => ({
        cluster: 'one',
        snapshot: snapshotOf('100:100:'),
        entries: Array.from({ length: users }, (_, n) => ({
          seq: BigInt(n),
          xid: 1n,
          kind: 'subject' as const,
          key: `user-${n}`,
          epoch: 1,
          expiresAt,
        })),
      }),
    },
  });
  const subjectIdentifier: SubjectIdentifier = ({ clientId }, id) => {
    counts.identifiers += 1;
    return `${clientId}/${id}`;
  };
  const feed = new AudienceFeed({
    key,
    subjectIdentifier,
    sessionIdentifiers: new SessionIdentifiers(key),
    async countDigests(_tenant, digests) {
      counts.digests += digests;
    },
    async pairwiseClients() {
      counts.lists += 1;
      return Array.from({ length: clients }, (_, n) =>
        double<Client>({
          clientId: `client-${n}`,
          resources: [n % 2 === 0 ? audience : 'urn:example:other'],
        }),
      );
    },
  });
  const page = (after?: string) => read(feed, log, after);
  return { counts, feed, page };
}

test('Each identifier that clients of the audience were given has an entry, and a page has a limited number of them.', async () => {
  const { page } = setUp({ users: 1_200, clients: 40 });
  const digests = new Set<string>();
  const sizes: number[] = [];
  for (let next = await page(); ; next = await page(next.cursor)) {
    sizes.push(next.entries.length);
    for (const { digest = '' } of next.entries) digests.add(digest);
    if (!next.more) break;
  }
  // 20 of the clients have the resource.
  expect(digests.size).toBe(1_200 * 21);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(1_200 * 21);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(5_000);
});

test('The identifiers and the list of clients are computed once for all followers at a position.', async () => {
  const { counts, page } = setUp({ users: 100, clients: 2 });
  const pages = await Promise.all(Array.from({ length: 500 }, () => page()));
  expect(new Set(pages.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(counts).toEqual({ lists: 1, identifiers: 100, digests: 200 });
  await Promise.all(pages.map(({ cursor }) => page(cursor)));
  expect(counts).toEqual({ lists: 1, identifiers: 100, digests: 200 });
});

test('The pages of a log that is no longer in use are not those of the next log of the tenant.', async () => {
  const revoked = { seq: 1n, xid: 100n, kind: 'subject', key: 'user', epoch: 1, expiresAt } as const;
  const logOf = (snapshot: string, entries: readonly (typeof revoked)[]) =>
    new RevocationLog({
      tenant: 'demo',
      list: new RevocationList(),
      monotonic: () => 0,
      clock: Date.now,
      journal: { ofTenant: async () => ({ cluster: 'one', snapshot: snapshotOf(snapshot), entries }) },
    });
  const { feed } = setUp({ users: 0, clients: 0 });
  const former = logOf('100:100:', []);
  const { cursor } = await read(feed, former);
  expect((await read(feed, former, cursor)).entries).toEqual([]);
  const next = logOf('101:101:', [revoked]);
  expect([(await read(feed, next)).entries.length, (await read(feed, next, cursor)).entries.length]).toEqual([
    1, 1,
  ]);
});

test('A tenant above its limit of digests gets 429 for pages that are not cached, and other tenants get theirs.', async () => {
  const allowance = new DigestAllowance(double<Logger>({}), 100);
  await allowance.take('demo', 60);
  const rejection = { code: 'slow_down', statusCode: 429 };
  await expect(allowance.take('demo', 60)).rejects.toMatchObject(rejection);
  await allowance.take('rival', 60);
});

test('A tenant with many cached values removes its own, and not those of other tenants.', async () => {
  const cache = new SharedCache<string>(4);
  const computed: string[] = [];
  const get = (tenant: string, name: string) =>
    cache.get(tenant, name, 1, async () => {
      computed.push(`${tenant} ${name}`);
      return name;
    });
  await get('rival', 'a');
  for (let n = 0; n < 20; n += 1) await get('demo', `page-${n}`);
  computed.length = 0;
  await Promise.all([
    get('rival', 'a'),
    get('demo', 'page-19'),
    get('demo', 'page-17'),
    get('demo', 'page-16'),
  ]);
  expect(computed).toEqual(['demo page-16']);
});
