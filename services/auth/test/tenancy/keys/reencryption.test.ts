import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@ostiary/database';
import { freePort } from '@ostiary/embedded';
import { createKit, keyRing, openBytes, sealBytes } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { totpContext } from '../../../src/identity/sign-in/domain/second-factors.ts';
import { createReencryption, sealedColumns } from '../../../src/maintenance.ts';
import { PrismaClient } from '../../../src/platform/database/generated/client.ts';
import { createKeptKeys } from '../../../src/tenancy/keys/data/kept-keys.ts';
import { MasterKeys } from '../../../src/tenancy/keys/domain/keys.ts';
import { type Backend, createBackend, environment } from '../../support/running-auth.ts';

/** Reencryption by several processes simultaneously, with a crash, and beside processes of the previous step. */

const former = Buffer.alloc(32, 21);
const next = Buffer.alloc(32, 22);
const people = 3_000;

let backend: Backend;
let database: Database<PrismaClient>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  backend = await createBackend();
  const { log } = createKit({ name: 'test', logLevel: 'silent' });
  database = createDatabase({
    url: backend.databaseUrl,
    schema: 'auth',
    log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await database.close();
  await backend.drop();
});

const secretOf = (id: string): Buffer => Buffer.from(`the secret of ${id}`);

/** Inserts users with authenticator apps, sealed under the former key by a process without the next one. */
async function fill(): Promise<void> {
  const { sql } = database;
  await sql.query('TRUNCATE auth.subjects, auth.kept_keys, auth.signing_keys CASCADE');
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version)
     SELECT 'demo', gen_random_uuid(), 'p' || n, 'p' || n, true, 1 FROM generate_series(1, $1) n RETURNING id`,
    [people],
  );
  const ring = new MasterKeys(former).of('totp');
  const ids = rows.map(({ id }) => id);
  await sql.query(
    `INSERT INTO auth.totp_factors (tenant, subject_id, secret, last_step)
     SELECT 'demo', n.id, n.secret, 0 FROM unnest($1::uuid[], $2::bytea[]) AS n(id, secret)`,
    [ids, ids.map((id) => sealBytes(ring, secretOf(id), totpContext('demo', id)))],
  );
}
beforeEach(fill);

/** Returns a process of a step, which has read its kept keys. */
async function aProcess(current: Buffer, second?: Buffer) {
  const keys = new MasterKeys(current, second);
  const kit = createKit({ name: 'test', logLevel: 'silent' });
  const keptKeys = createKeptKeys({ database, keys, kit });
  await keptKeys.start();
  return { kit, keptKeys, reencryption: createReencryption({ database, keys, kit }) };
}

/** Returns the number of authenticator apps that this key alone opens with the correct secret. */
async function openWith(key: Buffer): Promise<number> {
  const { rows } = await database.sql.query<{ id: string; secret: Buffer }>(
    'SELECT subject_id AS id, secret FROM auth.totp_factors',
  );
  const ring = new MasterKeys(key).of('totp');
  return rows.filter(({ id, secret }) => {
    try {
      return openBytes(ring, secret, totpContext('demo', id)).equals(secretOf(id));
    } catch {
      return false;
    }
  }).length;
}

/** Returns the number of values that were updated since their insertion by one statement, without opening them. */
async function resealed(): Promise<number> {
  const { rows } = await database.sql.query<{ count: number }>(
    `SELECT count(*)::int FROM auth.totp_factors
      WHERE xmin::text <> (SELECT min(xmin::text::bigint)::text FROM auth.totp_factors)`,
  );
  return rows[0]?.count ?? 0;
}

test('Three processes seal every value again simultaneously, each value once.', async () => {
  await aProcess(former);
  const workers = [await aProcess(next, former), await aProcess(next, former), await aProcess(next, former)];
  await Promise.all(workers.map(({ reencryption }) => reencryption.run()));
  expect(await workers[0]?.reencryption.run()).toBe(0);
  expect([await openWith(next), await openWith(former)]).toEqual([people, 0]);
  const before = await database.sql.query('SELECT xmin::text FROM auth.totp_factors ORDER BY subject_id');
  await workers[1]?.reencryption.run();
  const after = await database.sql.query('SELECT xmin::text FROM auth.totp_factors ORDER BY subject_id');
  expect(after.rows).toEqual(before.rows);
  expect(await workers[0]?.kit.metrics.getSingleMetricAsString('sealed_values_behind')).toContain(
    'column="auth.totp_factors.secret",service="test"} 0',
  );
});

test('A process killed during the reencryption leaves nothing broken, and another process continues.', async () => {
  await aProcess(former);
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../../dist/main.js', import.meta.url))], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...environment(backend, port),
      METRICS_PORT: String(await freePort()),
      LOG_LEVEL: 'error',
      ENCRYPTION_KEY: next.toString('base64url'),
      ENCRYPTION_KEY_SECOND: former.toString('base64url'),
    },
  });
  children.push(child);
  await eventually(async () => (await resealed()) > 100);
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const done = await openWith(next);
  expect(done).toBeLessThan(people);
  expect(await openWith(former)).toBe(people - done);
  const { reencryption } = await aProcess(next, former);
  expect(await reencryption.run()).toBe(0);
  expect(await openWith(next)).toBe(people);
});

test('A process of the previous step undoes nothing, and a run stops when it is aborted.', async () => {
  const announced = await aProcess(former, next);
  const switched = await aProcess(next, former);
  const stopping = new AbortController();
  const run = switched.reencryption.run(stopping.signal);
  await eventually(async () => (await resealed()) > 100);
  expect(await announced.reencryption.run()).toBeGreaterThan(0);
  stopping.abort();
  await run;
  const done = await openWith(next);
  expect(done).toBeGreaterThan(100);
  expect(done).toBeLessThan(people);
  await announced.reencryption.run();
  expect(await openWith(next)).toBe(done);
  // A return to the former key needs processes with that configuration.
  const back = await aProcess(former, next);
  expect(await back.reencryption.run()).toBe(0);
  expect(await openWith(former)).toBe(people);
});

test('A concurrent change is kept, and a value that opens with no key is left unchanged and counted.', async () => {
  await aProcess(former);
  const { reencryption } = await aProcess(next, former);
  const { rows } = await database.sql.query<{ id: string }>(
    'SELECT subject_id AS id FROM auth.totp_factors ORDER BY subject_id LIMIT 2',
  );
  const [changed = '', lost = ''] = rows.map(({ id }) => id);
  const write = (id: string, ring: Parameters<typeof sealBytes>[0]) =>
    database.sql.query('UPDATE auth.totp_factors SET secret = $2 WHERE subject_id = $1', [
      id,
      sealBytes(ring, secretOf(id), totpContext('demo', id)),
    ]);
  await write(lost, keyRing(Buffer.alloc(32, 9)));
  const changing = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  // A long change holds the row: no run waits for it, and the next run finds the new value.
  const change = database.transaction(async (tx) => {
    // On a busy machine, the run takes longer than a transaction may be idle.
    await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await tx.query('UPDATE auth.totp_factors SET secret = $2 WHERE subject_id = $1', [
      changed,
      sealBytes(new MasterKeys(former, next).of('totp'), secretOf(changed), totpContext('demo', changed)),
    ]);
    changing.resolve();
    await held.promise;
  });
  await changing.promise;
  await eventually(async () => (await reencryption.run()) === 2);
  held.resolve();
  await change;
  expect(await reencryption.run()).toBe(1);
  expect(await openWith(next)).toBe(people - 1);
});

test('Every binary column is sealed again or is listed as not sealed.', async () => {
  const { rows } = await database.sql.query<{ name: string }>(
    `SELECT format('auth.%s.%s', table_name, column_name) AS name FROM information_schema.columns
      WHERE table_schema = 'auth' AND data_type = 'bytea'`,
  );
  const digests = [
    'api_tokens.digest',
    'client_registrations.digest',
    'client_secrets.digest',
    'idempotency_keys.digest',
    'idempotency_keys.input',
    'initial_access_tokens.digest',
    'invitations.digest',
    'recovery_codes.digest',
    'sessions.digest',
    'used_values.digest',
  ];
  const open = ['client_logos.data', 'passkeys.public_key', 'refresh_families.salt', 'tenant_branding.logo'];
  const { leading, columns } = sealedColumns(database, new MasterKeys(former, next));
  const sealed = [leading, ...columns].map((column) => column.rows.name);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [...sealed, ...[...digests, ...open].map((name) => `auth.${name}`)].toSorted(),
  );
});
