import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { UserChange } from '../../../src/tenancy/users/domain/user-change.ts';
import { person } from '../../support/assertions.ts';
import { bind, type Partnership, refused, startPartnership } from '../../support/partnership.ts';

let partnership: Partnership;
let partnerId: string;
let version = 1n;
/** Users bound to the partner by their user names. */
let people: { id: string; userName: string }[];

beforeAll(async () => {
  partnership = await startPartnership();
  const { auth, partner } = partnership;
  const { rows } = await auth.database.sql.query<{ id: string }>(
    'SELECT id FROM auth.trusted_issuers WHERE tenant = $1 AND issuer = $2',
    ['demo', partner.issuer],
  );
  partnerId = rows[0]?.id ?? '';
  people = [];
  for (let n = 0; n < 40; n += 1) {
    const userName = `p${n}@partner.example`;
    people.push({ userName, id: await person(auth, userName) });
  }
  for (const { id, userName } of people) await bind(auth, partnerId, userName, id);
});

afterAll(() => partnership?.stop());

const profile = (userName: string) => ({ userName, emails: [] });

/**
 * Publishes an event about all users in one transaction, as after a Bulk request, repeatedly until the work is done.
 */
async function publishedDuring(work: Promise<unknown>): Promise<void> {
  const { database, deps } = partnership.auth;
  let over = false;
  const ended = work.finally(() => {
    over = true;
  });
  while (!over) {
    version += 1n;
    const changes = people.map(({ id, userName }) => ({
      tenant: 'demo',
      id,
      version,
      profile: profile(userName),
    }));
    await database.transaction((tx) => deps.subjectStore.storePresent(tx, changes));
  }
  await ended;
}

const leaves = async ({ id, userName }: (typeof people)[number]): Promise<void> => {
  const change: UserChange = {
    id,
    version: 1_000_000n,
    active: false,
    deleted: false,
    restorable: false,
    reactivated: false,
    profile: profile(userName),
  };
  const { deps, database } = partnership.auth;
  const { revocations } = await database.transaction((tx) => deps.subjects.applyChange(tx, 'demo', change));
  await deps.revocations.publish(revocations);
};

const presentOf = async (userName: string, at: Partnership['auth']) =>
  partnership.present(
    await partnership.partner.assertion({ aud: partnership.auth.issuer('demo'), sub: userName }),
    {},
    { at },
  );

const deadlocks = async (): Promise<number> => {
  // PostgreSQL publishes the counters of a session after one second.
  await setTimeout(1_500);
  const { rows } = await partnership.auth.database.sql.query<{ deadlocks: number }>(
    'SELECT deadlocks::int AS deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.deadlocks ?? 0;
};

test('Assertions about many users at two processes are not affected by concurrent events, bindings and offboardings.', async () => {
  const { auth, other } = partnership;
  const before = await deadlocks();
  const leaving = people.slice(0, 4);
  for (let round = 0; round < 6; round += 1) {
    const leaver = leaving[round];
    const answers = Promise.all(
      people.map(({ userName }, n) => presentOf(userName, n % 2 === 0 ? auth : other)),
    );
    const bound = Promise.all(
      people.map(({ id }, n) => bind(n % 2 === 0 ? other : auth, partnerId, `${n} in round ${round}`, id)),
    );
    await Promise.all([publishedDuring(Promise.all([answers, bound])), ...(leaver ? [leaves(leaver)] : [])]);
    const all = await answers;
    for (const [n, answer] of all.entries()) {
      const leaves = leaving.findIndex(({ id }) => id === people[n]?.id);
      // A user offboarded in this round may or may not be offboarded yet.
      if (leaves === round) expect([200, 400]).toContain(answer.status);
      else if (leaves >= 0 && leaves < round) expect(answer).toMatchObject(refused);
      else expect(answer).toMatchObject({ status: 200 });
    }
  }
  expect(await deadlocks()).toBe(before);
});

test('An event about two users, a binding of one and an assertion about the other do not deadlock.', async () => {
  const { auth } = partnership;
  const [one, two] = people.slice(-2) as [(typeof people)[number], (typeof people)[number]];
  const before = await deadlocks();
  const touch = 'UPDATE auth.subjects SET updated_at = now() WHERE tenant = $1 AND id = $2';
  let binding: Promise<unknown> | undefined;
  let asserted: ReturnType<typeof presentOf> | undefined;
  await auth.database.transaction(async (tx) => {
    await tx.query(touch, ['demo', one.id]);
    binding ??= bind(auth, partnerId, 'one under another name', one.id);
    await setTimeout(500);
    asserted ??= presentOf(two.userName, auth);
    // PostgreSQL checks for a deadlock after a wait of one second and would cancel the longest waiter, which would be
    // the assertion.
    await setTimeout(700);
    await tx.query(touch, ['demo', two.id]);
  });
  expect(await asserted).toMatchObject({ status: 200 });
  await binding;
  expect(await deadlocks()).toBe(before);
});
