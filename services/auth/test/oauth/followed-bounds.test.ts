import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { RevocationList } from '@ostiary/access';
import { DatabaseUnavailable } from '@ostiary/database';
import { statementsDuring } from '@ostiary/database/testing';
import type { DomainEvent } from '@ostiary/events';
import { currentRequestId, uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { handleDirectoryEvents } from '../../src/lifecycle/directory-events/directory-events.jobs.ts';
import { revocationExpiry } from '../../src/tenancy/users/domain/revocation-feed.ts';
import {
  auth,
  doors,
  type Held,
  introspect,
  open,
  setUpIntrospecting,
  shut,
  signIn,
  twin,
  userinfo,
} from '../support/introspecting.ts';

// Maximum staleness of answers from memory without the feed: two seconds for the second process.

const boundMs = 2_000;
let clockOffset = 0;
setUpIntrospecting({ REVOCATION_MAX_STALENESS_SECONDS: '2' }, () => Date.now() + clockOffset);

afterEach(() => {
  clockOffset = 0;
  jest.restoreAllMocks();
});

/**
 * Simulates a process that ends between the commit and the publication: the feed in PostgreSQL contains the
 * revocation, and no process is notified.
 */
async function revokeSilently({ tenant, person }: Held): Promise<void> {
  await auth.database.transaction(async (tx) => {
    await tx.query('UPDATE auth.subjects SET epoch = epoch + 1 WHERE tenant = $1 AND id = $2', [
      tenant,
      person.subjectId,
    ]);
    const expiresAt = revocationExpiry(600);
    await auth.deps.revocations.append(tx, [
      { tenant, kind: 'subject', key: person.subjectId, epoch: 1, expiresAt },
    ]);
  });
}

/** Makes the feed unreadable for the second process. */
function cutTheFeed(): void {
  jest.spyOn(twin.deps.revocations, 'page').mockRejectedValue(new DatabaseUnavailable());
}

const warm = async (held: Held) => {
  const { revocationList, monotonic } = twin.deps;
  await eventually(async () => revocationList.isFresh(monotonic(), boundMs / 2));
  for (let turn = 0; turn < 3; turn += 1) expect(await doors(twin, held.token)).toEqual(open);
};

/** Returns the statements of requests about tokens and users, without periodic reads. */
const askedOfDatabase = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await statementsDuring(work, () => currentRequestId() !== undefined)).filter((text) =>
    /auth\.(grants|subjects|revocations|sessions|service_accounts|refresh_families)\b/.test(text),
  );

describe('a revocation that was not announced', () => {
  test('A revocation that was not published is found by the next pull.', async () => {
    const held = await signIn();
    await warm(held);
    await revokeSilently(held);
    await eventually(async () => (await introspect(twin, held.token)).body.active === false);
    expect(await doors(twin, held.token)).toEqual(shut);
  });

  test('While the feed cannot be read, the database is queried about each token after the bound.', async () => {
    const [held, stayer] = [await signIn(), await signIn()];
    await warm(held);
    await warm(stayer);
    cutTheFeed();
    await revokeSilently(held);
    await eventually(async () => (await introspect(twin, held.token)).body.active === false);
    expect(await doors(twin, held.token)).toEqual(shut);
    expect(await askedOfDatabase(() => doors(twin, stayer.token))).toHaveLength(2);
    expect(await doors(twin, stayer.token)).toEqual(open);
  });

  test('When neither the feed nor the database can be read, tokens are rejected with 503.', async () => {
    const held = await signIn();
    await warm(held);
    cutTheFeed();
    jest.spyOn(twin.deps.tokenStatus, 'accessToken').mockRejectedValue(new DatabaseUnavailable());
    const statuses = async () => [
      (await introspect(twin, held.token)).status,
      (await userinfo(twin, held.token)).status,
    ];
    await eventually(async () => JSON.stringify(await statuses()) === '[503,503]');
    const { body } = await introspect(twin, held.token);
    expect(body.error).toBe('temporarily_unavailable');
    // A known revocation still counts.
    twin.deps.revocationList.apply([
      {
        seq: '0',
        tenant: 'demo',
        kind: 'subject',
        key: held.person.subjectId,
        expiresAt: revocationExpiry(600),
      },
    ]);
    jest.restoreAllMocks();
    await eventually(async () => (await userinfo(twin, held.token)).status === 401);
  });

  test.each([-3_600_000, 300_000])(
    'A wall clock that is wrong by %s ms makes no list fresher: the database is queried after the bound.',
    async (offset) => {
      const held = await signIn();
      await warm(held);
      cutTheFeed();
      await revokeSilently(held);
      clockOffset = offset;
      await eventually(async () => (await introspect(twin, held.token)).body.active === false);
      clockOffset = 0;
      expect(await doors(twin, held.token)).toEqual(shut);
    },
  );
});

describe('cached users', () => {
  const changed = (held: Held, version: number, displayName: string): DomainEvent => ({
    id: uuidv7(),
    tenant: held.tenant,
    type: 'user.updated',
    subject: held.person.subjectId,
    version,
    occurredAt: new Date().toISOString(),
    actor: { kind: 'connector', id: 'hr' },
    payload: {
      id: held.person.subjectId,
      userName: `${displayName.toLowerCase()}`,
      displayName,
      active: true,
      emails: [],
      externalIds: {},
      changedAt: new Date().toISOString(),
    },
  });

  /** Applies the event in the first process. */
  async function take(event: DomainEvent): Promise<void> {
    const after = await auth.database.transaction((tx) => handleDirectoryEvents([event], tx, auth.deps));
    await after();
  }

  const nameAt = async (at: typeof auth, held: Held) => (await userinfo(at, held.token)).body.name;

  test('A change of a user is visible immediately in the process that stored it, later in other processes, and in no other tenant.', async () => {
    const held = await signIn();
    const namesake = await signIn({ tenant: 'rival' });
    for (const at of [auth, twin]) expect(await nameAt(at, held)).toBe('Alice Adams');
    await take(changed(held, 2, 'Bob'));
    expect(await nameAt(auth, held)).toBe('Bob');
    await eventually(async () => (await nameAt(twin, held)) === 'Bob');
    expect((await introspect(twin, held.token)).body.username).toBe('bob');
    for (const at of [auth, twin])
      expect((await userinfo(at, namesake.token, 'rival')).body.name).toBe('Alice Adams');
  });

  test('A change that was not announced is visible after the next pull.', async () => {
    const held = await signIn();
    for (const at of [auth, twin]) expect(await nameAt(at, held)).toBe('Alice Adams');
    jest.spyOn(auth.deps.changedUsers, 'announce').mockResolvedValue();
    await take(changed(held, 2, 'Carol'));
    await eventually(async () => (await nameAt(twin, held)) === 'Carol');
  });

  test('An older event does not change the cache.', async () => {
    const held = await signIn();
    await take(changed(held, 5, 'Dora'));
    expect(await nameAt(auth, held)).toBe('Dora');
    await take(changed(held, 4, 'Eve'));
    expect(await nameAt(auth, held)).toBe('Dora');
  });
});

test('A repeated request with a token causes no statement about the token or its user while the feed is read.', async () => {
  const held = await signIn();
  await warm(held);
  const statements = await askedOfDatabase(async () => {
    for (let turn = 0; turn < 50; turn += 1) expect(await doors(twin, held.token)).toEqual(open);
  });
  expect(statements).toEqual([]);
  // The next token of the same grant needs no query.
  const { body } = await auth.post('/t/demo/token', {
    grant_type: 'refresh_token',
    refresh_token: held.refreshToken,
    client_id: held.clientId,
  });
  // On a slow machine the cached user may have expired during the refresh.
  await warm(held);
  const next = await askedOfDatabase(() => doors(twin, String(body.access_token)));
  expect(next).toEqual([]);
});

test('A list is fresh for the maximum staleness, and never if its time is in the future.', () => {
  const list = new RevocationList();
  expect(list.isFresh(0, boundMs)).toBe(false);
  list.touch(10_000);
  expect(list.isFresh(10_000 + boundMs, boundMs)).toBe(true);
  expect(list.isFresh(10_001 + boundMs, boundMs)).toBe(false);
  expect(list.isFresh(9_999, boundMs)).toBe(false);
});
