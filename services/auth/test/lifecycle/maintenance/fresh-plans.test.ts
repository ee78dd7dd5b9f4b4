import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@ostiary/database';
import { createTestDatabase } from '@ostiary/database/testing';
import { createKit, uuidv7 } from '@ostiary/service';
import { PostgresGrantList } from '../../../src/access/grants/data/grant-list.ts';
import { PostgresGrantStore } from '../../../src/access/grants/data/grant-store.ts';
import { PostgresGrants } from '../../../src/access/grants/data/grants.ts';
import type { RefreshTokenParts } from '../../../src/access/grants/domain/refresh-token.ts';
import { revokeApiTokensOfGrants } from '../../../src/access/machines/data/api-tokens.ts';
import { TokenStatus } from '../../../src/oauth/data/token-status.ts';
import { postgresSecurityLog } from '../../../src/platform/audit/security-log.data.ts';
import { PrismaClient } from '../../../src/platform/database/generated/client.ts';
import { postgresFacts } from '../../../src/signals/data/facts.ts';
import { EventPublisher } from '../../../src/tenancy/index.ts';
import { migrations } from '../../support/running-auth.ts';

const tenant = 'demo';
const clientId = 'app';
const subjectId = uuidv7();
const sessionId = uuidv7();

let database: Database<PrismaClient>;
let drop: () => Promise<void>;
let store: PostgresGrantStore;

beforeAll(async () => {
  const made = await createTestDatabase({ schema: 'auth', directory: migrations });
  drop = made.drop;
  const { log } = createKit({ name: 'test', logLevel: 'silent' });
  // One connection, so that the plans from its first minute are the tested ones.
  database = createDatabase({
    url: made.url,
    schema: 'auth',
    poolSize: 1,
    log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
  const grants = new PostgresGrants({
    database,
    clock: Date.now,
    tokenLifetime: 600,
    revokeTokensOfGrants: revokeApiTokensOfGrants,
  });
  store = new PostgresGrantStore({
    database,
    grants,
    eventPublisher: new EventPublisher({ facts: postgresFacts, securityLog: postgresSecurityLog }),
    securityLog: postgresSecurityLog,
    revocations: undefined as never,
  });
  for (const statement of [
    `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version)
     VALUES ('${tenant}', '${subjectId}', 'ann', 'ann', true, 1)`,
    `INSERT INTO auth.clients (tenant, client_id, name, type, token_endpoint_auth_method)
     VALUES ('${tenant}', '${clientId}', 'app', 'public', 'none')`,
    `INSERT INTO auth.sessions (tenant, id, subject_id, digest, auth_time, expires_at)
     VALUES ('${tenant}', '${sessionId}', '${subjectId}', '\\x00', now(), now() + interval '1 day')`,
  ]) {
    await database.sql.query(statement);
  }
});

afterAll(async () => {
  await database?.close();
  await drop?.();
});

/** Runs the lifecycle of a grant: redemption, introspection, refresh. */
async function live(): Promise<void> {
  const grantId = uuidv7();
  const family = { id: uuidv7(), salt: randomBytes(16), idleSeconds: 600 };
  const content = {
    tenant,
    grantId,
    clientId,
    subjectId,
    sessionId,
    clientEpoch: 0,
    subjectEpoch: 0,
    withdrawals: 0,
    scopes: ['openid'],
    resources: [],
    authTime: 0,
    amr: [],
  };
  const opening = await store.open(content, { lifetimeSeconds: 600, family });
  expect(opening.outcome).toBe('opened');
  const claims = {
    jti: uuidv7(),
    sub: subjectId,
    client_id: clientId,
    client_epoch: 0,
    sub_epoch: 0,
    grant_id: grantId,
    sid: sessionId,
  } as unknown as Parameters<TokenStatus['accessToken']>[1];
  const status = new TokenStatus(database);
  expect(await status.accessToken(tenant, claims, { registeredClient: true })).toMatchObject({ live: true });
  const token: RefreshTokenParts = { familyId: family.id, generation: 0, salt: family.salt };
  const rotation = await store.rotate(tenant, clientId, token, { idleSeconds: 600, retryWindowSeconds: 10 });
  expect(rotation.outcome).toBe('rotated');
  expect(await status.refreshToken(tenant, { ...token, generation: 1 })).not.toBeNull();
}

/** Returns the number of rows and index entries read in tables that grow with use. */
async function read(): Promise<number> {
  await database.sql.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await database.sql.query<{ read: number }>(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = 'auth')::float8
          + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = 'auth')::float8 AS read`,
  );
  return rows[0]?.read ?? Number.NaN;
}

test('Plans made while the tables are empty stay efficient after the tables have grown, before any ANALYZE.', async () => {
  for (let time = 0; time < 12; time += 1) await live();
  // A batch is written by a separate statement.
  for (let time = 0; time < 12; time += 1) await Promise.all([live(), live(), live()]);
  const many = 3_000;
  for (const statement of [
    `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version)
     SELECT tenant, gen_random_uuid(), 'u' || n, 'u' || n, true, 1 FROM auth.subjects, generate_series(1, ${many}) n`,
    `INSERT INTO auth.role_assignments (tenant, subject_id, role)
     SELECT tenant, id, 'auditor' FROM auth.subjects WHERE user_name <> 'ann'`,
    `INSERT INTO auth.group_role_holders (tenant, subject_id, group_id, role)
     SELECT tenant, id, gen_random_uuid(), 'auditor' FROM auth.subjects WHERE user_name <> 'ann'`,
    `INSERT INTO auth.clients (tenant, client_id, name, type, token_endpoint_auth_method)
     SELECT tenant, 'c' || n, 'c', 'public', 'none' FROM auth.clients, generate_series(1, ${many}) n`,
    `INSERT INTO auth.sessions (tenant, id, subject_id, digest, auth_time, expires_at)
     SELECT tenant, gen_random_uuid(), subject_id, n::text::bytea, now(), expires_at FROM auth.sessions, generate_series(1, ${many}) n`,
    `INSERT INTO auth.grants (tenant, id, client_id, subject_id, session_id, subject_epoch, client_epoch, expires_at)
     SELECT '${tenant}', gen_random_uuid(), '${clientId}', '${subjectId}', '${sessionId}', 0, 0, now() + interval '1 day'
     FROM generate_series(1, ${many}) n`,
    `INSERT INTO auth.refresh_families (tenant, id, grant_id, client_id, salt, idle_expires_at, absolute_expires_at)
     SELECT tenant, gen_random_uuid(), id, client_id, '\\x00', expires_at, expires_at FROM auth.grants`,
    `INSERT INTO auth.revocations (tenant, kind, key, expires_at)
     SELECT '${tenant}', 'jti', n::text, now() + interval '1 day' FROM generate_series(1, ${many}) n`,
  ]) {
    await database.sql.query(statement);
  }
  const times = 10;
  const before = await read();
  for (let time = 0; time < times; time += 1) await live();
  // About thirty keys are looked up per lifecycle; a scan of a table or of a tenant would read thousands of rows.
  expect(((await read()) - before) / times).toBeLessThan(200);
  const beforeTogether = await read();
  for (let time = 0; time < times; time += 1) await Promise.all([live(), live(), live()]);
  expect(((await read()) - beforeTogether) / times / 3).toBeLessThan(200);
});

test('A page of the grants of an app is read from its start, independent of the number of grants of this app and others.', async () => {
  const many = 8_000;
  // The grants of the rare app are the oldest, so a scan of the tenant's grants would reach them last.
  await database.sql.query(
    `INSERT INTO auth.grants (tenant, id, client_id, subject_id, subject_epoch, client_epoch, expires_at)
     SELECT '${tenant}', (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid,
            CASE WHEN n <= ${many / 2} THEN 'seldom' ELSE 'often' END, '${subjectId}', 0, 0, now() + interval '1 day'
     FROM generate_series(1, ${many}) n`,
  );
  await database.sql.query('ANALYZE auth.grants');
  for (const client of ['seldom', 'often']) {
    const before = await read();
    const page = { limit: 21, direction: 'forward', position: undefined } as const;
    const rows = await new PostgresGrantList(database.sql).page(tenant, { clientId: client }, page);
    expect(rows).toHaveLength(21);
    expect([client, (await read()) - before < 200]).toEqual([client, true]);
  }
});
