import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { statementsDuring } from '@ostiary/database/testing';
import { currentRequestId } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { pruneExpired } from '../../../src/maintenance.ts';
import { saveFollowers } from '../../../src/oauth/feed/data/feed-followers.ts';
import { auth, type Credentials, setUpIntrospecting, startOne, twin } from '../../support/introspecting.ts';
import type { RunningAuth } from '../../support/running-auth.ts';
import { Follower, resourceServer } from './follower.ts';

setUpIntrospecting();

let made = 0;
/** Returns a resource that no other test uses, and a client that serves it. */
async function served(tenant = 'demo', audience = `https://verified${++made}.example/v1`) {
  const by = await resourceServer({ protected_resources: [audience] }, tenant);
  return { audience, by };
}

const seen = (audience: string, tenant = 'demo') => auth.deps.verifiers(tenant, [audience]);

/** Starts a request that is held at a process, and resolves when it is. */
async function holding(by: Credentials, at: RunningAuth, tenant = 'demo'): Promise<Promise<unknown>[]> {
  const follower = new Follower({ by, at, tenant });
  await follower.follow();
  const before = at.deps.followers.count;
  const held = follower.follow({ wait: 10 }).catch(() => undefined);
  await eventually(() => at.deps.followers.count > before);
  return [held];
}

const write = (...processes: RunningAuth[]) =>
  Promise.all(processes.map(({ deps }) => deps.followerReports.write()));

const query = (text: string, values: readonly unknown[]) =>
  auth.database.sql.query<{ n: number }>(text, values);
const rowsOf = async (audience: string) =>
  (await query('SELECT count(*)::int AS n FROM auth.feed_followers WHERE audience = $1', [audience])).rows[0]
    ?.n;
const age = (audience: string, interval: string) =>
  query(
    `UPDATE auth.feed_followers SET seen_at = seen_at - $2::interval, current_at = current_at - $2::interval
      WHERE audience = $1`,
    [audience, interval],
  );
/** Saves the report of a process that sends no further one. */
const reported = ([clientId]: Credentials, audience: string) =>
  saveFollowers(auth.database.sql, randomUUID(), [
    { tenant: 'demo', clientId, audience, followers: 2, isFollowing: true, lagMs: 0 },
  ]);
const prune = () => pruneExpired(auth.database.sql);

describe('the followers of a client', () => {
  test('A client that has never followed is listed without a time.', async () => {
    const { audience, by } = await served();
    expect(await seen(audience)).toEqual([
      { identifier: audience, clientId: by[0], followers: 0, lastSeenAt: null, lagMs: null },
    ]);
  });

  test('Followers at two processes that report at the same time are counted together.', async () => {
    const { audience, by } = await served();
    for (const at of [auth, auth, twin]) await holding(by, at);
    // The first report also covers the time before the requests were held.
    await write(auth, twin);
    await Promise.all(Array.from({ length: 5 }, () => write(auth, twin)));
    const [verifier] = await seen(audience);
    expect(verifier).toMatchObject({ clientId: by[0], followers: 3, lagMs: 0 });
    expect(verifier?.lastSeenAt).toBeInstanceOf(Date);
    expect(await rowsOf(audience)).toBe(2);
  });

  test('A client that asks without waiting follows, and lags since its last response.', async () => {
    const { audience, by } = await served();
    await new Follower({ by }).follow();
    await write(auth);
    const [verifier] = await seen(audience);
    expect(verifier?.followers).toBe(1);
    expect(verifier?.lagMs).toBeLessThanOrEqual(5_000);
  });

  test('A verifier of the rival with the same audience is not among those of the tenant.', async () => {
    const { audience, by } = await served();
    const { by: other } = await served('rival', audience);
    await holding(other, auth, 'rival');
    await write(auth);
    expect(await seen(audience)).toMatchObject([{ clientId: by[0], followers: 0, lastSeenAt: null }]);
    expect(await seen(audience, 'rival')).toMatchObject([{ clientId: other[0], lagMs: 0 }]);
  });

  test('An identifier with an empty path has the verifiers of both of its forms.', async () => {
    const audience = `https://verified${++made}.example`;
    const { by } = await served('demo', `${audience}/`);
    await holding(by, auth);
    await write(auth);
    expect(await seen(audience)).toMatchObject([{ clientId: by[0], lagMs: 0 }]);
  });
});

describe('a process that ends', () => {
  test('The followers of a process that stops are counted no longer, and their time is kept.', async () => {
    const { audience, by } = await served();
    const ending = await startOne();
    const held = await holding(by, ending);
    await write(ending);
    expect(await seen(audience)).toMatchObject([{ followers: 1, lagMs: 0 }]);
    await ending.stop();
    await Promise.all(held);
    const [verifier] = await seen(audience);
    expect(verifier?.followers).toBe(0);
    expect(verifier?.lastSeenAt).toBeInstanceOf(Date);
  });

  test('The followers of a killed process count for 30 seconds; its row is deleted when another process has reported.', async () => {
    const { audience, by } = await served();
    await reported(by, audience);
    expect(await seen(audience)).toMatchObject([{ followers: 2, lagMs: 0 }]);
    await age(audience, '31 seconds');
    const [verifier] = await seen(audience);
    expect(verifier?.followers).toBe(0);
    expect(verifier?.lagMs).toBeGreaterThanOrEqual(31_000);
    await age(audience, '1 hour');
    await Promise.all([prune(), prune()]);
    expect(await rowsOf(audience)).toBe(1);
    await reported(by, audience);
    await Promise.all([prune(), prune()]);
    expect(await rowsOf(audience)).toBe(1);
    expect(await seen(audience)).toMatchObject([{ followers: 2, lagMs: 0 }]);
  });

  test('A report of the last 90 days is kept, and an older one is deleted.', async () => {
    const { audience, by } = await served();
    await reported(by, audience);
    await age(audience, '89 days');
    await prune();
    expect(await seen(audience)).toMatchObject([{ followers: 0, lastSeenAt: expect.any(Date) }]);
    await age(audience, '2 days');
    await prune();
    expect(await rowsOf(audience)).toBe(0);
  });
});

describe('a client that ends', () => {
  test('Reports that are saved while a client is deleted leave no row, and do not prevent later ones.', async () => {
    const { audience, by } = await served();
    const [other, removed] = [await served(), by[0]];
    await Promise.all([auth, twin].map((at) => holding(by, at)));
    await holding(other.by, auth);
    await Promise.allSettled([
      ...Array.from({ length: 5 }, () => write(auth, twin)),
      auth.deps.clientRegistry.delete('demo', removed),
      ...Array.from({ length: 5 }, () => write(auth, twin)),
    ]);
    await write(auth, twin);
    expect(await rowsOf(audience)).toBe(0);
    expect(await seen(audience)).toEqual([]);
    expect(await seen(other.audience)).toMatchObject([{ followers: 1 }]);
  });

  test('A disabled client, and one that no longer serves the resource, are not listed.', async () => {
    for (const end of [
      (id: string) => auth.deps.clientRegistry.disable('demo', id),
      (id: string) =>
        auth.deps.clientRegistry.update('demo', id, (client) => ({ ...client, protected_resources: [] })),
    ]) {
      const { audience, by } = await served();
      await new Follower({ by }).follow();
      await write(auth);
      await end(by[0]);
      expect(await seen(audience)).toEqual([]);
    }
  });
});

test('Requests of followers send no statement about their reports.', async () => {
  const { by } = await served();
  const follower = new Follower({ by });
  await follower.follow();
  const sent = await statementsDuring(
    async () => {
      for (let n = 0; n < 30; n += 1) await follower.follow();
    },
    () => currentRequestId() !== undefined,
  );
  expect(sent.filter((text) => text.includes('feed_followers'))).toEqual([]);
});
