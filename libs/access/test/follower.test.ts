import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createKit, createRedis, HttpPeer, type Redis, redisReady } from '@ostiary/service';
import { eventually, testStreamSignatures } from '@ostiary/service/testing';
import {
  type Revocation,
  RevocationFollower,
  RevocationList,
  revocationStream,
  signedEntry,
} from '../src/index.ts';
import { Authority } from '../src/verification/authority.ts';
import { TestIssuer } from './issuer.ts';

const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';
const issuer = new TestIssuer();
const { log } = createKit({ name: 'test', logLevel: 'silent' });
let peer: HttpPeer;
let redis: Redis;
let list: RevocationList;
let follower: RevocationFollower;
let prefix: string;
let pulls: number;

beforeAll(async () => {
  peer = new HttpPeer({ name: 'auth', origin: await issuer.start([]), timeoutMs: 5_000 });
  redis = createRedis(redisUrl, { name: 'test', log });
  await redisReady(redis);
});

afterAll(async () => {
  redis.disconnect();
  await peer.close();
  await issuer.stop();
});

beforeEach(() => {
  prefix = `test-${process.pid}-${Date.now()}`;
  issuer.feed.length = 0;
  issuer.down = false;
  issuer.pageSize = 1_000;
  issuer.pagesLeft = Number.POSITIVE_INFINITY;
  issuer.lettingWait = true;
  pulls = 0;
  list = new RevocationList();
});

afterEach(async () => {
  await follower.stop();
  await redis.del(revocationStream(prefix));
});

function follow(pullEveryMs: number, waitSeconds = 0): void {
  follower = new RevocationFollower({
    list,
    redisUrl,
    prefix,
    signatures: testStreamSignatures,
    log,
    clock: () => performance.now(),
    pullEveryMs,
    waitSeconds,
    pull: (after, waiting) => {
      pulls += 1;
      return new Authority(peer).revocations(after, waiting);
    },
  });
  follower.start();
}

const publish = (field: 'entries' | 'maxSeq', value: string): Promise<unknown> =>
  redis.xadd(revocationStream(prefix), '*', ...signedEntry(testStreamSignatures, prefix, field, value));

const entry = (key: string): Revocation => ({
  seq: String(issuer.feed.length + 1),
  tenant: 'demo',
  kind: 'session',
  key,
  expiresAt: Math.floor(Date.now() / 1000) + 600,
});

/** Waits until the position of the reader is known; entries published before may be skipped. */
async function isReading(): Promise<void> {
  while (list.size === 0) {
    await publish('entries', JSON.stringify([entry('s0')]));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('The follower starts with every entry of the revocation feed.', async () => {
  issuer.feed.push(entry('s1'), { ...entry('s2'), seq: '2' });
  const begun = performance.now();
  follow(60_000);
  await eventually(() => list.size === 2);
  expect(list.freshAt).toBeGreaterThanOrEqual(begun);
});

test('A revocation that is published on the stream arrives without waiting for a pull.', async () => {
  follow(60_000);
  await eventually(() => list.freshAt > 0);
  await isReading();
  await publish('entries', JSON.stringify([entry('s1')]));
  await eventually(() => list.size === 2);
  // The next pull is a minute away.
  expect(pulls).toBe(1);
});

test('A revocation that was committed but never published is found by the next pull.', async () => {
  follow(200);
  await eventually(() => list.freshAt > 0);
  issuer.feed.push(entry('s1'));
  await eventually(() => list.size === 1);
});

test('A heartbeat that names an unknown position brings the pull forward.', async () => {
  follow(60_000);
  await eventually(() => list.freshAt > 0);
  await isReading();
  issuer.feed.push(entry('s1'));
  await publish('maxSeq', '1');
  await eventually(() => list.size === 2);
  expect(pulls).toBe(2);
});

test('A lost stream loses no revocation.', async () => {
  follow(200);
  await eventually(() => list.freshAt > 0);
  issuer.feed.push(entry('s1'));
  await publish('entries', JSON.stringify(issuer.feed));
  await redis.del(revocationStream(prefix));
  issuer.feed.push({ ...entry('s2'), seq: '2' });
  await eventually(() => list.size === 2);
});

test('Malformed entries on the stream of revocations have no effect.', async () => {
  follow(60_000);
  await eventually(() => list.freshAt > 0);
  await isReading();
  await redis.xadd(revocationStream(prefix), '*', 'entries', '{not json', 'maxSeq', 'abc', 'other', 'x');
  await publish('entries', JSON.stringify([entry('s1')]));
  await eventually(() => list.size === 2);
});

test('The revocation list becomes stale while the feed is unavailable, and recovers automatically.', async () => {
  follow(100);
  await eventually(() => list.freshAt > 0);
  issuer.down = true;
  await new Promise((resolve) => setTimeout(resolve, 600));
  const stale = list.freshAt;
  expect(performance.now() - stale).toBeGreaterThan(400);
  issuer.down = false;
  await eventually(() => list.freshAt > stale);
});

test('A feed of several pages is followed to its end before the list counts as complete.', async () => {
  issuer.pageSize = 100;
  for (let index = 0; index < 1_050; index += 1) issuer.feed.push(entry(`s${index}`));
  issuer.pagesLeft = 4;
  follow(60_000);
  // The read entries count, but the list is not trusted while there are more.
  await eventually(() => list.size === 400);
  expect(list.freshAt).toBe(Number.NEGATIVE_INFINITY);
  issuer.pagesLeft = Number.POSITIVE_INFINITY;
  await eventually(() => list.freshAt > 0);
  expect(list.size).toBe(1_050);
  // Four pages with at least one failure, continued without starting over.
  const asked = issuer.calls.filter((call) => call.startsWith('GET /internal/v1/revocations')).slice(-7);
  expect(asked.map((call) => new URLSearchParams(call.split('?')[1]).get('after'))).toEqual([
    '400',
    '500',
    '600',
    '700',
    '800',
    '900',
    '1000',
  ]);
});

test('An entry that is unsigned, forged or signed for another stream revokes nothing.', async () => {
  follow(60_000);
  await eventually(() => list.freshAt > 0);
  await isReading();
  const stream = revocationStream(prefix);
  const forged = JSON.stringify([entry('forged')]);
  await redis.xadd(stream, '*', 'entries', forged);
  await redis.xadd(stream, '*', 'entries', forged, 'mac', 'x');
  await redis.xadd(stream, '*', ...signedEntry(testStreamSignatures, `${prefix}-other`, 'entries', forged));
  const [, , , mac] = signedEntry(testStreamSignatures, prefix, 'entries', JSON.stringify([entry('s1')]));
  await redis.xadd(stream, '*', 'entries', forged, 'mac', mac);
  await redis.xadd(stream, '*', 'maxSeq', '999', 'mac', mac);
  await publish('entries', JSON.stringify([entry('s1')]));
  await eventually(() => list.size > 1);
  expect(list.size).toBe(2);
  expect(pulls).toBe(1);
});

describe('a follower with long polling', () => {
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  test('One request waits for new entries and returns them immediately.', async () => {
    follow(50, 9);
    await eventually(() => pulls === 2);
    await pause(600);
    expect(pulls).toBe(2);
    issuer.add(entry('s1'));
    await eventually(() => list.size === 1);
    await eventually(() => pulls === 3);
  });

  test('After a response without entries, the list is as fresh as the server states.', async () => {
    follow(50, 1);
    await eventually(() => pulls === 2);
    const asked = performance.now();
    const before = list.freshAt;
    await eventually(() => list.freshAt > before);
    // The issuer last checked when half of the time was over.
    expect(list.freshAt).toBeGreaterThan(asked + 400);
    expect(list.freshAt).toBeLessThanOrEqual(performance.now());
  });

  test('A completion time in the future counts as the present.', async () => {
    issuer.completeAfterMs = 3_600_000;
    follow(50, 1);
    const begun = performance.now();
    await eventually(() => list.freshAt > begun + 500);
    expect(list.freshAt).toBeLessThanOrEqual(performance.now());
    issuer.completeAfterMs = undefined;
  });

  test('A server without long polling is not requested more often than before.', async () => {
    issuer.lettingWait = false;
    follow(300, 9);
    await eventually(() => list.freshAt > 0);
    await pause(1_500);
    expect(pulls).toBeGreaterThan(2);
    expect(pulls).toBeLessThanOrEqual(7);
  });

  test('A heartbeat with an unknown position ends the wait immediately.', async () => {
    issuer.deaf = true;
    follow(50, 9);
    await eventually(() => pulls === 2);
    await pause(100);
    issuer.add(entry('s1'));
    await publish('maxSeq', '1');
    await eventually(() => list.size === 1);
    issuer.deaf = false;
  });

  test('After an outage, the first request does not wait for new entries before the list is fresh again.', async () => {
    follow(50, 9);
    await eventually(() => issuer.waiting === 1);
    issuer.down = true;
    issuer.cut();
    // The first retry detects the outage; requests during an outage return immediately.
    const asked = pulls;
    await eventually(() => pulls > asked + 1);
    const before = list.freshAt;
    issuer.down = false;
    await eventually(() => list.freshAt > before);
  });

  test('A refresh and a stop do not wait for a response.', async () => {
    issuer.deaf = true;
    follow(50, 9);
    await eventually(() => pulls === 2);
    const begun = performance.now();
    await follower.refresh();
    expect(list.freshAt).toBeGreaterThan(begun);
    await eventually(() => pulls >= 4);
    await follower.stop();
    issuer.deaf = false;
  });
});
