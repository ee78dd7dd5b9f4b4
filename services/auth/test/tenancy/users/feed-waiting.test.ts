import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RevocationFollower, RevocationList, type RevocationPage, serviceAudience } from '@ostiary/access';
import { HttpPeer } from '@ostiary/service';
import { eventually, testStreamSignatures } from '@ostiary/service/testing';
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
const append = (...keys: string[]) =>
  auth.database.transaction((tx) => auth.deps.revocations.append(tx, keys.map(entry)));
const revoke = async (key: string) => auth.deps.revocations.publish(await append(key));

interface Asked {
  page: RevocationPage;
  elapsedMs: number;
}

async function ask(after?: string, prefer?: string, of = auth): Promise<Asked> {
  const query = after === undefined ? '' : `?${new URLSearchParams({ after })}`;
  const begun = performance.now();
  const { status, body } = await of.get(`/internal/v1/revocations${query}`, {
    authorization,
    ...(prefer !== undefined && { prefer }),
  });
  expect(status).toBe(200);
  return { page: body as unknown as RevocationPage, elapsedMs: performance.now() - begun };
}

/** Returns the cursor of an up-to-date verifier. */
async function latest(): Promise<string> {
  let { page } = await ask();
  while (page.more || page.entries.length > 0) ({ page } = await ask(page.cursor));
  return page.cursor;
}

const keysOf = ({ page }: Asked): string[] => page.entries.map(({ key }) => key);

test('A request of an up-to-date verifier that prefers to wait ends without entries, with the time up to which it is complete.', async () => {
  const { page, elapsedMs } = await ask(await latest(), 'wait=2');
  expect(page.entries).toEqual([]);
  expect(elapsedMs).toBeGreaterThan(1_900);
  expect(page.completeAfterMs).toBeGreaterThan(400);
  expect(page.completeAfterMs).toBeLessThanOrEqual(elapsedMs);
});

test('A waiting verifier gets a response as soon as an entry is added.', async () => {
  const waiting = ask(await latest(), 'wait=9');
  await sleep(400);
  await revoke('while-somebody-waits');
  expect(keysOf(await waiting)).toContain('while-somebody-waits');
});

test('A waiting verifier gets an entry that another process has committed without a notification.', async () => {
  const waiting = ask(await latest(), 'wait=9');
  await sleep(400);
  await append('committed-only');
  expect(keysOf(await waiting)).toContain('committed-only');
});

test('A response is immediate for a verifier that lacks entries, does not prefer to wait or has another preference.', async () => {
  const before = await latest();
  await revoke('already-there');
  const lacking = await ask(before, 'wait=9');
  expect(keysOf(lacking)).toContain('already-there');
  const cursor = await latest();
  const answers = [lacking, await ask(undefined, 'wait=9'), await ask(cursor)];
  for (const prefer of ['wait=0', 'wait=soon', 'processing']) answers.push(await ask(cursor, prefer));
  for (const { page } of answers) expect(page.completeAfterMs).toBeUndefined();
});

test('Waiting verifiers get a response before the process ends.', async () => {
  const ending = await startAuth(backend, { publicOrigin: auth.origin });
  const waiting = ask(await latest(), 'wait=9', ending);
  await sleep(400);
  await ending.stop();
  await expect(waiting).resolves.toBeDefined();
});

/** Checks each time up to which the list claims to be complete against the entries that were committed before. */
class CheckedList extends RevocationList {
  readonly known = new Set<string>();
  readonly lacked: string[] = [];
  times = 0;
  readonly #committed: ReadonlyMap<string, number>;

  constructor(committed: ReadonlyMap<string, number>) {
    super();
    this.#committed = committed;
    this.onRevoked(({ key }) => this.known.add(key));
  }

  override touch(atMs: number): void {
    super.touch(atMs);
    this.times += 1;
    for (const [key, at] of this.#committed) if (at < atMs && !this.known.has(key)) this.lacked.push(key);
  }
}

test('A list never claims to be complete up to a time before which an entry that it lacks was committed.', async () => {
  const committed = new Map<string, number>();
  const peer = new HttpPeer({ name: 'auth', origin: auth.origin, token: async () => authorization.slice(7) });
  const lists = Array.from({ length: 4 }, () => new CheckedList(committed));
  const followers = lists.map(
    (list, n) =>
      new RevocationFollower({
        list,
        redisUrl: process.env.TEST_REDIS_URL ?? '',
        // The stream delivers nothing, so the feed alone must deliver all entries.
        prefix: `${backend.prefix}-elsewhere`,
        signatures: testStreamSignatures,
        log: auth.deps.kit.log,
        clock: () => performance.now(),
        pullEveryMs: 20 + 30 * n,
        pull: async (after, waiting) => {
          const { body } = await peer.request<RevocationPage>({
            method: 'GET',
            path: '/internal/v1/revocations',
            query: { after },
            ...(waiting && { headers: { prefer: `wait=${waiting.seconds}` }, signal: waiting.signal }),
          });
          return body;
        },
        waitSeconds: 1,
      }),
  );
  for (const follower of followers) follower.start();
  await Promise.all(
    Array.from({ length: 5 }, async (_, writer) => {
      for (let n = 0; n < 12; n += 1) {
        const key = `race-${writer}-${n}`;
        await auth.database.transaction(async (tx) => {
          await auth.deps.revocations.append(tx, [entry(key)]);
          if (writer % 2 === 0) await tx.query('SELECT pg_sleep(0.05)');
        });
        committed.set(key, performance.now());
        // Some pauses are so long that waiting requests end without entries.
        await sleep((writer + 1) * 90 * Math.random() + (n === 6 ? 1_500 : 0));
      }
    }),
  );
  await eventually(async () =>
    lists.every(({ known }) => [...committed.keys()].every((key) => known.has(key))),
  );
  for (const follower of followers) await follower.stop();
  await peer.close();
  expect(lists.map(({ lacked }) => lacked)).toEqual([[], [], [], []]);
  expect(Math.min(...lists.map(({ times }) => times))).toBeGreaterThan(5);
});
