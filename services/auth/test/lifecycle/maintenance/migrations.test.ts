import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createDatabase } from '@ostiary/database';
import { createTestDatabase, migrationDrift } from '@ostiary/database/testing';
import { createKit } from '@ostiary/service';
import { pruneExpired } from '../../../src/maintenance.ts';
import { migrations } from '../../support/running-auth.ts';

test('The migrations produce exactly schema.prisma.', async () => {
  const schemaFile = fileURLToPath(new URL('../../../prisma/schema.prisma', import.meta.url));
  const { url, drop } = await createTestDatabase({ schema: 'auth', directory: migrations });
  try {
    expect(await migrationDrift({ url, schema: 'auth', schemaFile })).toBeUndefined();
  } finally {
    await drop();
  }
});

test('Expired rows are deleted from every table, and live rows stay.', async () => {
  const { url, drop } = await createTestDatabase({ schema: 'auth', directory: migrations });
  const { log } = createKit({ name: 'test', logLevel: 'silent' });
  const database = createDatabase({ url, schema: 'auth', log, prisma: () => ({}) });
  const { sql } = database;
  const subject = '01900000-0000-7000-8000-000000000001';
  const hours = "CASE WHEN n <= 2500 THEN -2 ELSE 2 END * interval '1 hour'";
  const days = "CASE WHEN n <= 2 THEN -60 ELSE 60 END * interval '1 day'";
  try {
    for (const statement of [
      `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version)
       VALUES ('demo', '${subject}', 'ann', 'ann', true, 1)`,
      `INSERT INTO auth.clients (tenant, client_id, name, type, token_endpoint_auth_method)
       VALUES ('demo', 'c', 'c', 'confidential', 'client_secret_basic')`,
      `INSERT INTO auth.grants (tenant, id, client_id, subject_id, subject_epoch, client_epoch, expires_at)
       SELECT 'demo', gen_random_uuid(), 'c', '${subject}', 0, 0, now() + ${hours} FROM generate_series(1, 2503) n`,
      `INSERT INTO auth.refresh_families (tenant, id, grant_id, client_id, salt, idle_expires_at, absolute_expires_at)
       SELECT tenant, gen_random_uuid(), id, client_id, '\\x00', expires_at, expires_at FROM auth.grants`,
      `INSERT INTO auth.client_secrets (tenant, id, client_id, digest, expires_at)
       SELECT 'demo', gen_random_uuid(), 'c', '\\x00', now() + ${days} FROM generate_series(1, 5) n`,
      `INSERT INTO auth.signing_keys (tenant, kid, alg, state, public_jwk, private_jwk, retired_at)
       SELECT 'demo', n::text, 'ES256', 'retired', '{}', '\\x00', now() + ${days} FROM generate_series(1, 5) n`,
      `INSERT INTO auth.revocations (tenant, kind, key, expires_at)
       SELECT 'demo', 'jti', n::text, now() + ${days} FROM generate_series(1, 5) n`,
      // One expired, one revoked long ago, which ended its lifetime; one revoked just now, two live.
      `INSERT INTO auth.sessions (tenant, id, subject_id, digest, auth_time, expires_at, revoked_at)
       SELECT 'demo', gen_random_uuid(), '${subject}', n::text::bytea, now(),
              now() + CASE n WHEN 1 THEN -60 WHEN 2 THEN -2 WHEN 3 THEN 0 ELSE 60 END * interval '1 day',
              CASE n WHEN 2 THEN now() - interval '2 days' WHEN 3 THEN now() END FROM generate_series(1, 5) n`,
      // One staged and forgotten, one replaced long ago; one whose event is late, one active, one replaced just now.
      `INSERT INTO auth.credentials (tenant, ticket, subject_id, hash, created_at, activated_at, replaced_at)
       SELECT 'demo', gen_random_uuid(), '${subject}', 'h', now() - CASE n WHEN 1 THEN 31 * 24 WHEN 3 THEN 29 * 24 ELSE 5 END * interval '1 hour',
              CASE WHEN n IN (2, 4, 5) THEN now() - interval '4 hours' END,
              CASE n WHEN 2 THEN now() - interval '2 hours' WHEN 5 THEN now() END FROM generate_series(1, 5) n`,
    ]) {
      await sql.query(statement);
    }
    expect(await pruneExpired(sql)).toBe(2500 + 2 + 2 + 2 + 2 + 2);
    const left: Record<string, number> = {};
    const tables = [
      'grants',
      'refresh_families',
      'client_secrets',
      'signing_keys',
      'revocations',
      'sessions',
    ];
    for (const table of [...tables, 'credentials']) {
      const { rows } = await sql.query<{ count: number }>(`SELECT count(*)::int AS count FROM auth.${table}`);
      left[table] = rows[0]?.count ?? 0;
    }
    expect(Object.values(left)).toEqual([3, 3, 3, 3, 3, 3, 3]);
  } finally {
    await database.close();
    await drop();
  }
});

test('A row about a user can only refer to a user of its own tenant.', async () => {
  const { url, drop } = await createTestDatabase({ schema: 'auth', directory: migrations });
  const { log } = createKit({ name: 'test', logLevel: 'silent' });
  const database = createDatabase({ url, schema: 'auth', log, prisma: () => ({}) });
  const subject = '01900000-0000-7000-8000-000000000001';
  try {
    await database.sql.query(
      `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version)
       VALUES ('demo', '${subject}', 'ann', 'ann', true, 1)`,
    );
    for (const insert of [
      `auth.sessions (tenant, id, subject_id, digest, auth_time, expires_at)
       VALUES ('rival', gen_random_uuid(), '${subject}', '\\x00', now(), now())`,
      `auth.grants (tenant, id, client_id, subject_id, subject_epoch, client_epoch, expires_at)
       VALUES ('rival', gen_random_uuid(), 'c', '${subject}', 0, 0, now())`,
      `auth.consents (tenant, subject_id, client_id) VALUES ('rival', '${subject}', 'c')`,
      `auth.role_assignments (tenant, subject_id, role) VALUES ('rival', '${subject}', 'tenant_admin')`,
    ]) {
      await expect(database.sql.query(`INSERT INTO ${insert}`)).rejects.toMatchObject({ code: '23503' });
    }
  } finally {
    await database.close();
    await drop();
  }
});
