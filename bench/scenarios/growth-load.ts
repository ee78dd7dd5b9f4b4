import { sealBytes } from '@ostiary/service';
import type pg from 'pg';
import { signingKeyContext } from '../../services/auth/src/tenancy/keys/data/signing-keys.ts';
import { MasterKeys } from '../../services/auth/src/tenancy/keys/domain/keys.ts';
import { generateSigningKey } from '../../services/auth/src/tenancy/keys/domain/signing-keys.ts';
import { loadPeople } from './scim-scale/load.ts';

/** The tenant that receives the requests, and whose rows are copied for others. */
const asked = 'demo';
/** Users of each other tenant. */
const usersEach = 3;
/** Tenants per statement. */
const batch = 1_000;

export const tenantNumber = (n: number): string => `grown-${n}`;

/** Returns the statement that copies the rows of a table for other tenants. */
const copied = (table: string, replaced: string, where = 'true', times = 1): string =>
  `INSERT INTO ${table}
   SELECT (jsonb_populate_record(o, jsonb_build_object('tenant', t.id${replaced}))).*
     FROM ${table} o, unnest($1::text[]) AS t(id), generate_series(1, ${times}) AS n
    WHERE o.tenant = '${asked}' AND ${where}`;

const ofTenants: readonly string[] = [
  `INSERT INTO directory.tenants (id, name) SELECT id, id FROM unnest($1::text[]) AS id`,
  `INSERT INTO auth.tenants (id, name, status, version) SELECT id, id, 'active', 1 FROM unnest($1::text[]) AS id`,
  `INSERT INTO provisioning.tenants (id, name, status, version) SELECT id, id, 'active', 1 FROM unnest($1::text[]) AS id`,
  copied('auth.clients', ''),
  copied('auth.client_secrets', `, 'id', gen_random_uuid()`),
  copied('provisioning.connectors', `, 'id', gen_random_uuid(), 'owner_id', NULL, 'owner_kind', NULL`),
  `INSERT INTO directory.users (tenant, id, user_name, user_name_key, active, data, folded, created_at, updated_at)
   SELECT t, gen_random_uuid(), 'user-' || n, 'user-' || n, true, jsonb_build_object('userName', 'user-' || n),
          jsonb_build_object('username', 'user-' || n), now(), now()
     FROM unnest($1::text[]) AS t, generate_series(1, ${usersEach}) AS n`,
];

/**
 * Creates the rows of auth and provisioning for users that only the directory has: a password and a link each, and for
 * every `$2`-th user an open access path of each kind.
 */
const ofUsers: readonly string[] = [
  `CREATE TEMP TABLE grown ON COMMIT DROP AS
   SELECT u.tenant, u.id, u.user_name, u.user_name_key, u.external_ids, gen_random_uuid() AS session, gen_random_uuid() AS granted,
          row_number() OVER () % $2 = 0 AS signed_in
     FROM directory.users u
    WHERE u.tenant = ANY ($1) AND NOT EXISTS (SELECT 1 FROM auth.subjects s WHERE s.tenant = u.tenant AND s.id = u.id)`,
  `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version)
   SELECT tenant, id, user_name, user_name_key, true, 1 FROM grown`,
  `INSERT INTO auth.credentials (tenant, ticket, subject_id, hash, activated_at)
   SELECT tenant, gen_random_uuid(), id, 'x', now() FROM grown`,
  `INSERT INTO provisioning.resource_links (tenant, resource_type, resource_id, source, external_id, version)
   SELECT tenant, 'User', id, 'bench', external_ids->>'bench', 1 FROM grown`,
];

/** Statements for the access paths of the users in `grown`. */
export const doors: readonly string[] = [
  `INSERT INTO auth.sessions (tenant, id, subject_id, digest, auth_time, expires_at)
   SELECT tenant, session, id, uuid_send(session), now(), now() + interval '1 day' FROM grown WHERE signed_in`,
  `INSERT INTO auth.grants (tenant, id, client_id, subject_id, session_id, subject_epoch, client_epoch, expires_at)
   SELECT tenant, granted, 'app', id, session, 0, 0, now() + interval '1 day' FROM grown WHERE signed_in`,
  `INSERT INTO auth.refresh_families (tenant, id, grant_id, client_id, salt, idle_expires_at, absolute_expires_at)
   SELECT tenant, gen_random_uuid(), granted, 'app', '\\x00', now() + interval '1 day', now() + interval '1 day'
     FROM grown WHERE signed_in`,
];

export async function inTransaction(sql: pg.Client, work: () => Promise<void>): Promise<void> {
  await sql.query('BEGIN');
  try {
    await work();
    await sql.query('COMMIT');
  } catch (error) {
    await sql.query('ROLLBACK');
    throw error;
  }
}

/** Creates tenants number `from` to `to`, with copies of clients, signing keys and signed-in users. */
export async function loadTenants(
  sql: pg.Client,
  o: { from: number; to: number; encryptionKey: string },
): Promise<void> {
  const ring = new MasterKeys(Buffer.from(o.encryptionKey, 'base64url')).of('signing-key');
  for (let start = o.from; start <= o.to; start += batch) {
    const ids = Array.from({ length: Math.min(batch, o.to - start + 1) }, (_, i) => tenantNumber(start + i));
    const keys = await Promise.all(
      ids.map(async (tenant) => ({ tenant, ...(await generateSigningKey('ES256')) })),
    );
    await inTransaction(sql, async () => {
      for (const statement of ofTenants) await sql.query(statement, [ids]);
      await sql.query(
        `INSERT INTO auth.signing_keys (tenant, kid, alg, state, public_jwk, private_jwk, active_at)
         SELECT k.*, now() FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::bytea[]) AS k`,
        [
          ids,
          keys.map(({ kid }) => kid),
          keys.map(() => 'ES256'),
          keys.map(() => 'current'),
          keys.map(({ publicJwk }) => JSON.stringify(publicJwk)),
          keys.map(({ tenant, kid, privateJwk }) =>
            sealBytes(ring, Buffer.from(JSON.stringify(privateJwk)), signingKeyContext(tenant, kid)),
          ),
        ],
      );
      await openDoors(sql, ids, 1);
    });
  }
  await analyze(sql);
}

/** Creates users number `from` to `to` of the measured tenant; a tenth of them is signed in. */
export async function loadUsers(sql: pg.Client, o: { from: number; to: number }): Promise<void> {
  if (o.to < o.from) return;
  await loadPeople(sql, { tenant: asked, source: 'bench', from: o.from, to: o.to });
  await inTransaction(sql, () => openDoors(sql, [asked], 10));
  await analyze(sql);
}

async function openDoors(sql: pg.Client, tenants: readonly string[], every: number): Promise<void> {
  const [table = '', ...rest] = ofUsers;
  // A utility statement takes no parameters.
  const list = `ARRAY[${tenants.map((id) => `'${id}'`).join(',')}]::text[]`;
  await sql.query(table.replace('$1', list).replace('$2', String(every)));
  for (const statement of [...rest, ...doors]) await sql.query(statement);
}

/** Updates the statistics, which loading does not. */
async function analyze(sql: pg.Client): Promise<void> {
  for (const table of [
    'directory.tenants',
    'directory.users',
    'directory.resource_counts',
    'auth.tenants',
    'auth.clients',
    'auth.client_secrets',
    'auth.signing_keys',
    'auth.subjects',
    'auth.credentials',
    'auth.sessions',
    'auth.grants',
    'auth.refresh_families',
    'provisioning.tenants',
    'provisioning.connectors',
    'provisioning.resource_links',
  ])
    await sql.query(`VACUUM (ANALYZE) ${table}`);
  await sql.query('CHECKPOINT');
}
