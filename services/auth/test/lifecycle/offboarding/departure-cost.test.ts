import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Transaction } from '@ostiary/database';
import type { DomainEvent } from '@ostiary/events';
import { uuidv7 } from '@ostiary/service';
import { handleDirectoryEvents } from '../../../src/lifecycle/directory-events/directory-events.jobs.ts';
import { startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const leaving = (subject: string): DomainEvent => ({
  id: uuidv7(),
  tenant,
  type: 'user.deactivated',
  subject,
  version: 2,
  occurredAt: new Date().toISOString(),
  actor: { kind: 'connector', id: 'hr' },
  payload: {
    id: subject,
    userName: subject,
    active: false,
    emails: [],
    externalIds: {},
    changedAt: new Date().toISOString(),
  },
});

/**
 * Creates users with a number of sessions each, a grant with a refresh family in each session, and a personal access
 * token.
 */
async function people(count: number, sessions: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  const { sql } = service.deps.database;
  await sql.query(
    `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version, departed_version)
     SELECT $1, id, id::text, id::text, true, 1, 1 FROM unnest($2::uuid[]) AS id`,
    [tenant, ids],
  );
  await sql.query(
    `WITH opened AS (
       INSERT INTO auth.sessions (tenant, subject_id, id, digest, amr, auth_time, expires_at)
       SELECT $1, id, gen_random_uuid(), uuid_send(gen_random_uuid()), '{pwd}', now(), now() + interval '1 day'
         FROM unnest($2::uuid[]) AS id, generate_series(1, $3::int) RETURNING id, subject_id
     ), granted AS (
       INSERT INTO auth.grants (tenant, id, client_id, subject_id, session_id, subject_epoch, client_epoch, scopes, resources, amr, expires_at)
       SELECT $1, gen_random_uuid(), 'app', subject_id, id, 0, 0, '{openid}', '{}', '{pwd}', now() + interval '1 day' FROM opened
       RETURNING id
     )
     INSERT INTO auth.refresh_families (tenant, id, grant_id, client_id, salt, idle_expires_at, absolute_expires_at)
     SELECT $1, gen_random_uuid(), id, 'app', '\\x00', now() + interval '1 day', now() + interval '1 day' FROM granted`,
    [tenant, ids, sessions],
  );
  return ids;
}

async function statementsOf(work: (tx: Transaction) => Promise<unknown>): Promise<number> {
  let statements = 0;
  await service.deps.database.transaction(async (tx) => {
    const counting: Transaction = Object.assign(Object.create(tx), {
      query: (...args: Parameters<Transaction['query']>) => {
        statements += 1;
        return tx.query(...args);
      },
      prisma: () => tx.prisma(),
    });
    await work(counting);
  });
  return statements;
}

/** Returns the statements per user when users are offboarded together, without those for all of them. */
async function forEach(count: number, sessions: number): Promise<number> {
  const leave = async (ids: readonly string[]) =>
    statementsOf((tx) => handleDirectoryEvents(ids.map(leaving), tx, service.deps));
  const one = await leave(await people(1, sessions));
  return ((await leave(await people(count, sessions))) - one) / (count - 1);
}

/** Lock, state, epoch, access paths, ownership, subscribers, security log, facts, revocation. */
const each = 9;

test('An offboarding sends nine statements, independent of the number of sessions, grants and tokens.', async () => {
  expect(await forEach(50, 1)).toBe(each);
  expect(await forEach(10, 20)).toBe(each);
});

test('An offboarding sends one more statement when clients must be notified, independent of the number of sessions.', async () => {
  await service.deps.clientRegistry.register(
    tenant,
    {
      client_name: 'App',
      redirect_uris: ['https://app.example/callback'],
      backchannel_logout_uri: 'https://app.example/logout',
      backchannel_logout_session_required: true,
    },
    { clientId: 'app' },
  );
  expect(await forEach(10, 5)).toBe(each + 1);
  const { rows } = await service.deps.database.sql.query<{ notified: number }>(
    `SELECT count(*)::int AS notified FROM auth.deliveries WHERE receiver_id = 'app'`,
  );
  expect(rows).toEqual([{ notified: 11 * 5 }]);
});

test('Suspending a tenant ends its sessions and publishes that in batches of a thousand.', async () => {
  const suspend = (id: string) =>
    statementsOf((tx) =>
      service.deps.tenants.applyChange(tx, { id, name: id, status: 'suspended', version: 2n }),
    );
  await people(500, 5);
  const alone = await suspend('nobody');
  // Compared with a tenant without sessions: two more batches, facts and deliveries of all three, and the feed's entry
  // for the client.
  expect((await suspend(tenant)) - alone).toBe(2 + 3 * 2 + 1);
  const { rows } = await service.deps.database.sql.query<{ notified: number }>(
    `SELECT count(*)::int AS notified FROM auth.deliveries WHERE receiver_id = 'app'`,
  );
  expect(rows).toEqual([{ notified: 11 * 5 + 2_500 }]);
});
