import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { createDatabase } from '@ostiary/database';
import { createTestDatabase, migrationDrift } from '@ostiary/database/testing';
import { createKit } from '@ostiary/service';
import { pruneExpired } from '../src/data/retention.ts';
import { migrations } from './running-auth.ts';

test('the migrations produce exactly schema.prisma', async () => {
  const schemaFile = fileURLToPath(new URL('../prisma/schema.prisma', import.meta.url));
  const { url, drop } = await createTestDatabase({ schema: 'auth', directory: migrations });
  try {
    expect(await migrationDrift({ url, schema: 'auth', schemaFile })).toBeUndefined();
  } finally {
    await drop();
  }
});

test('expired grants, families, secrets and retired keys are deleted, live ones stay', async () => {
  const { url, drop } = await createTestDatabase({ schema: 'auth', directory: migrations });
  const { log } = createKit({ name: 'test', logLevel: 'silent' });
  const database = createDatabase({ url, schema: 'auth', log, prisma: () => ({}) });
  const { sql } = database;
  try {
    await sql.query(
      `INSERT INTO auth.grants (tenant, id, client_id, subject_id, subject_epoch, client_epoch, expires_at)
       SELECT 'demo', gen_random_uuid(), 'c', gen_random_uuid(), 0, 0, now() + CASE WHEN n <= 2500 THEN -2 ELSE 2 END * interval '1 hour'
       FROM generate_series(1, 2503) n`,
    );
    await sql.query(
      `INSERT INTO auth.refresh_families (tenant, id, grant_id, client_id, salt, idle_expires_at, absolute_expires_at)
       SELECT tenant, gen_random_uuid(), id, client_id, '\\x00', expires_at, expires_at FROM auth.grants`,
    );
    expect(await pruneExpired(database)).toBe(2500);
    for (const table of ['grants', 'refresh_families']) {
      const { rows } = await sql.query<{ count: number }>(`SELECT count(*)::int AS count FROM auth.${table}`);
      expect(rows[0]?.count).toBe(3);
    }
  } finally {
    await database.close();
    await drop();
  }
});
