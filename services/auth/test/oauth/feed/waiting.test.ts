import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { revocationExpiry } from '../../../src/tenancy/users/domain/revocation-feed.ts';
import {
  auth,
  type Credentials,
  setUpIntrospecting,
  signIn,
  startOne,
  twin,
} from '../../support/introspecting.ts';
import { publicClient, type RunningAuth, register } from '../../support/running-auth.ts';
import { ask, digestOf, Follower, orders, resourceServer } from './follower.ts';

setUpIntrospecting();

let api: Credentials;
beforeAll(async () => {
  api = await resourceServer();
});

const append = (key: string, tenant = 'demo') =>
  auth.database.transaction((tx) =>
    auth.deps.revocations.append(tx, [{ tenant, kind: 'jti', key, expiresAt: revocationExpiry(600) }]),
  );
const revoke = async (key: string, tenant = 'demo') =>
  auth.deps.revocations.publish(await append(key, tenant));

/** Reads the logs at once: entries of the previous test that a log reads later would end held requests. */
async function readLogs(tenant = 'demo'): Promise<void> {
  for (const { deps } of [auth, twin]) await deps.revocationLogs.use(tenant, (log) => log.read());
}

/** Returns a follower that has all entries. */
async function current(by = api, at: RunningAuth = auth): Promise<Follower> {
  await readLogs();
  const follower = new Follower({ by, at });
  await follower.follow({ at });
  return follower;
}

/** Starts a request that is held, and resolves when it is. */
async function holding(follower: Follower, at = auth): Promise<{ entries: ReturnType<Follower['follow']> }> {
  const before = at.deps.followers.count;
  const entries = follower.follow({ at, wait: 10 });
  entries.catch(() => undefined);
  await eventually(() => at.deps.followers.count > before);
  return { entries };
}

const namesOf = (follower: Follower, keys: readonly string[]) =>
  keys.map((key) => digestOf(follower.page?.digest_key ?? '', 'jti', key));
const digests = (entries: readonly { digest?: string }[]) => entries.map(({ digest }) => digest);

describe('a held request', () => {
  test('A held request gets a revocation of this process, and one of another process.', async () => {
    for (const at of [auth, twin]) {
      const follower = await current(api, at);
      const { entries } = await holding(follower, at);
      await revoke(`held-${at.origin}`);
      expect(digests(await entries)).toEqual(namesOf(follower, [`held-${at.origin}`]));
    }
  });

  test('A held request gets an entry that was committed without a notification.', async () => {
    const follower = await current();
    const { entries } = await holding(follower);
    await append('committed-only');
    expect(digests(await entries)).toEqual(namesOf(follower, ['committed-only']));
  });

  test('A held request without new entries ends after its time, complete up to a time after its arrival.', async () => {
    const follower = await current();
    const answer = await ask({ by: api, query: { after: follower.page?.cursor ?? '' }, prefer: 'wait=3, x' });
    expect(answer.headers.get('preference-applied')).toBe('wait=3');
    expect(answer.body).toMatchObject({ entries: [], more: false });
    expect(answer.body.complete_after_ms).toBeGreaterThan(500);
    const long = await ask({ by: api, query: {}, prefer: 'wait=99' });
    expect(long.headers.get('preference-applied')).toBe('wait=10');
  });

  test('An entry of another tenant ends no held request.', async () => {
    const { entries } = await holding(await current());
    let ended = false;
    void entries.finally(() => {
      ended = true;
    });
    await revoke('of-the-rival', 'rival');
    await auth.deps.revocationLogs.use('rival', (log) => log.read());
    await sleep(300);
    expect(ended).toBe(false);
    await revoke('of-demo');
    expect(await entries).toHaveLength(1);
  });

  test('A request without a cursor is not held.', async () => {
    expect((await ask({ by: api, prefer: 'wait=10' })).status).toBe(200);
  });

  test('Held requests get a response before the process ends.', async () => {
    const ending = await startOne();
    const { entries } = await holding(await current(api, ending), ending);
    await ending.stop();
    expect(await entries).toEqual([]);
  });

  test('A request whose connection is closed is no longer held.', async () => {
    const follower = await current();
    const leaving = new AbortController();
    const before = auth.deps.followers.count;
    const { cursor: after = '' } = follower.page ?? {};
    const response = fetch(`${auth.origin}/t/demo/revocations?${new URLSearchParams({ after })}`, {
      headers: { authorization: `Basic ${btoa(api.join(':'))}`, prefer: 'wait=10' },
      signal: leaving.signal,
    });
    await eventually(() => auth.deps.followers.count > before);
    leaving.abort();
    await expect(response).rejects.toThrow();
    await eventually(() => auth.deps.followers.count === before);
  });
});

describe('a follower that loses access', () => {
  const registry = () => auth.deps.clientRegistry;
  test.each<[string, (id: string) => Promise<unknown>, number, string]>([
    ['is disabled', (id) => registry().disable('demo', id), 401, 'invalid_client'],
    ['is deleted', (id) => registry().delete('demo', id), 401, 'invalid_client'],
    [
      'no longer serves the resource',
      (id) =>
        registry().update('demo', id, (client) => ({
          ...client,
          protected_resources: ['urn:example:other'],
        })),
      400,
      'invalid_target',
    ],
    [
      'gets another secret',
      (id) => registry().rotateSecret('demo', id, { overlapSeconds: 0 }),
      401,
      'invalid_client',
    ],
  ])(
    'The held requests of a client that %s end at both processes, and the next one fails.',
    async (_, change, status, error) => {
      const by = await resourceServer();
      const { page } = await current(by);
      const asking = { by, query: { audience: orders, after: page?.cursor ?? '' } };
      const held = [auth, twin].map((at) => ask({ ...asking, at, prefer: 'wait=10' }));
      await eventually(() => [auth, twin].every(({ deps }) => deps.followers.count === 1));
      await change(by[0]);
      // An entry of the client may arrive before the notification of its change.
      for (const answer of await Promise.all(held)) expect([200, status]).toContain(answer.status);
      for (const at of [auth, twin]) {
        const refused = await eventually(
          () => ask({ ...asking, at }),
          (answer) => answer.status !== 200,
        );
        expect([refused.status, refused.body.error]).toEqual([status, error]);
      }
    },
  );

  test('The held requests of a client whose change was not announced end at both processes.', async () => {
    const by = await resourceServer();
    const { page } = await current(by);
    const asking = { by, query: { after: page?.cursor ?? '' }, prefer: 'wait=10' };
    const held = [auth, twin].map((at) => ask({ ...asking, at }));
    await eventually(() => [auth, twin].every(({ deps }) => deps.followers.count === 1));
    await auth.database.sql.query(
      'UPDATE auth.clients SET disabled_at = now(), version = version + 1 WHERE client_id = $1',
      [by[0]],
    );
    for (const { status } of await Promise.all(held)) expect(status).toBe(401);
  });

  test('The held requests of other clients do not end with it.', async () => {
    const [by, follower] = [await resourceServer(), await current()];
    const { entries } = await holding(follower);
    await auth.deps.clientRegistry.disable('demo', by[0]);
    // The entry of the client, and not its change, ends the request.
    expect(await entries).toMatchObject([{ kind: 'client_id' }]);
  });

  test('Followers of a suspended tenant get its last entries, and then 403.', async () => {
    const by = await resourceServer({}, 'rival');
    const { client } = await register(auth, { ...publicClient, resources: [orders] }, 'rival');
    const { token } = await signIn({ tenant: 'rival', clientId: client.clientId, resources: [orders] });
    const followers = [auth, twin].map((at) => new Follower({ at, by, tenant: 'rival' }));
    await readLogs('rival');
    for (const follower of followers) await follower.follow();
    const held = followers.map((follower) => follower.follow({ wait: 10 }));
    await eventually(() => [auth, twin].every(({ deps }) => deps.followers.count === 1));
    const change = { id: 'rival', name: 'rival', version: 9n, status: 'suspended' } as const;
    const revocations = await auth.database.transaction((tx) => auth.deps.tenants.applyChange(tx, change));
    await auth.deps.revocations.publish(revocations);
    await Promise.all(held);
    for (const follower of followers) expect(follower.revokes(token)).toBe(true);
    for (const at of [auth, twin])
      await eventually(async () => (await ask({ at, by, tenant: 'rival' })).status === 403);
  });
});
