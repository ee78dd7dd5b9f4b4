import type { Sql } from '@ostiary/database';
import { userNameKey, userNameMark } from '@ostiary/scim';
import type { Subject, SubjectProfile } from '../domain/subject.ts';
import type { SubjectFields, SubjectState, SubjectStore } from '../domain/subject-store.ts';
import { rolesHeld } from './roles-held.ts';

interface SubjectRow {
  tenant: string;
  id: string;
  active: boolean;
  epoch: number;
  version: string;
  profile: SubjectProfile;
  roles: string[];
  withdrawals: Record<string, number>;
}

const columns = `s.tenant, s.id, s.active, s.epoch, s.version::text AS version, s.profile, s.withdrawals,
  ARRAY(${rolesHeld('s.tenant', 's.id')} ORDER BY 1) AS roles`;

const fromRow = (row: SubjectRow): Subject => ({ ...row, version: BigInt(row.version) });

/** A person of this tenant as far as this service knows them; deleted ones are not found. */
export async function findSubject(sql: Sql, tenant: string, id: string): Promise<Subject | undefined> {
  const { rows } = await sql.query<SubjectRow>(
    `SELECT ${columns} FROM auth.subjects s WHERE s.tenant = $1 AND s.id = $2 AND NOT s.deleted`,
    [tenant, id],
  );
  return rows[0] && fromRow(rows[0]);
}

/** Whether the projection has heard of this id at all, deleted or not. */
export async function knowsSubject(sql: Sql, tenant: string, id: string): Promise<boolean> {
  const { rowCount } = await sql.query('SELECT 1 FROM auth.subjects WHERE tenant = $1 AND id = $2', [
    tenant,
    id,
  ]);
  return rowCount > 0;
}

/**
 * The people whose user names have one of these keys here. More than one to a key for a moment, when a name was passed on and the
 * events arrive in another order, or for long, when they shared it from before: then only the directory knows whose it is.
 */
export async function findSubjectsByUserName(
  sql: Sql,
  tenant: string,
  keys: readonly string[],
): Promise<Subject[]> {
  const { rows } = await sql.query<SubjectRow>(
    `SELECT ${columns} FROM auth.subjects s
      WHERE s.tenant = $1 AND s.user_name_key = ANY ($2::text[]) AND NOT s.deleted LIMIT 10`,
    [tenant, keys],
  );
  return rows.map(fromRow);
}

/**
 * Locks a subject against everything that creates sessions or grants for it (they take the row FOR SHARE), making
 * the row first if there is none. `created` says that it was just made, with the fields given.
 */
export async function lockSubject(
  tx: Sql,
  tenant: string,
  id: string,
  initial: SubjectFields,
): Promise<{ state: SubjectState; created: boolean }> {
  const existing = await selectForUpdate(tx, tenant, id);
  if (existing) return { state: existing, created: false };
  const { rowCount } = await tx.query(
    `INSERT INTO auth.subjects
       (tenant, id, user_name, user_name_key, user_name_keyed, active, deleted, version, departed_version, profile)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (tenant, id) DO NOTHING`,
    [tenant, id, ...values(initial)],
  );
  const state = await selectForUpdate(tx, tenant, id);
  if (!state) throw new Error('a subject vanished while it was being written');
  return { state, created: rowCount > 0 };
}

async function selectForUpdate(tx: Sql, tenant: string, id: string): Promise<SubjectState | undefined> {
  const { rows } = await tx.query<
    Omit<SubjectState, 'version' | 'departedVersion'> & { version: string; departedVersion: string }
  >(
    `SELECT active, deleted, version::text AS version, departed_version::text AS "departedVersion", epoch
       FROM auth.subjects WHERE tenant = $1 AND id = $2 FOR UPDATE`,
    [tenant, id],
  );
  const row = rows[0];
  return row && { ...row, version: BigInt(row.version), departedVersion: BigInt(row.departedVersion) };
}

/** Overwrites what the projection says about a subject. The caller holds its lock and has compared versions. */
export async function storeSubject(
  tx: Sql,
  tenant: string,
  id: string,
  fields: SubjectFields,
): Promise<void> {
  await tx.query(
    `UPDATE auth.subjects SET user_name = $3, user_name_key = $4, user_name_keyed = $5, active = $6, deleted = $7,
            version = $8, departed_version = $9, profile = $10, updated_at = now()
      WHERE tenant = $1 AND id = $2`,
    [tenant, id, ...values(fields)],
  );
}

/**
 * Writes people who are there and active, each unless something newer is known; nobody may be named twice. For somebody never heard of, all departures before this version are settled.
 */
export async function storePresent(
  tx: Sql,
  people: readonly { tenant: string; id: string; version: bigint; profile: SubjectProfile }[],
): Promise<void> {
  const rows = people.map(({ tenant, id, version, profile }) => ({
    tenant,
    id,
    user_name: profile.userName,
    user_name_key: userNameKey(profile.userName),
    user_name_keyed: userNameMark(profile.userName),
    version: version.toString(),
    profile,
  }));
  // In one order, so that two batches don't wait for each other in a ring.
  await tx.query(
    `INSERT INTO auth.subjects AS s
       (tenant, id, user_name, user_name_key, user_name_keyed, active, deleted, version, departed_version, profile)
     SELECT n.tenant, n.id, n.user_name, n.user_name_key, n.user_name_keyed, true, false, n.version, n.version, n.profile
       FROM jsonb_to_recordset($1::jsonb) AS n
              (tenant text, id uuid, user_name text, user_name_key text, user_name_keyed text, version bigint, profile jsonb)
      ORDER BY n.tenant, n.id
     ON CONFLICT (tenant, id) DO UPDATE SET user_name = excluded.user_name, user_name_key = excluded.user_name_key,
       user_name_keyed = excluded.user_name_keyed, active = true, deleted = false, version = excluded.version, profile = excluded.profile, updated_at = now()
     WHERE s.version < excluded.version`,
    [JSON.stringify(rows)],
  );
}

/** Which of these people are stored as gone, as `tenant/id`. */
export async function storedAsGone(
  sql: Sql,
  people: readonly { tenant: string; subject: string }[],
): Promise<ReadonlySet<string>> {
  if (people.length === 0) return new Set();
  const { rows } = await sql.query<{ tenant: string; id: string }>(
    `SELECT s.tenant, s.id FROM unnest($1::text[], $2::uuid[]) AS asked (tenant, id)
       JOIN auth.subjects s ON s.tenant = asked.tenant AND s.id = asked.id
      WHERE NOT s.active`,
    [people.map(({ tenant }) => tenant), people.map(({ subject }) => subject)],
  );
  return new Set(rows.map(({ tenant, id }) => `${tenant}/${id}`));
}

/** Notes that departures up to a version are done, without touching anything else. */
export async function noteDeparted(tx: Sql, tenant: string, id: string, version: bigint): Promise<void> {
  await tx.query(
    `UPDATE auth.subjects SET departed_version = greatest(departed_version, $3::bigint), updated_at = now()
      WHERE tenant = $1 AND id = $2`,
    [tenant, id, version.toString()],
  );
}

/** Counts one more revocation of everything issued to the subject; returns the new epoch. */
export async function nextEpoch(tx: Sql, tenant: string, id: string): Promise<number> {
  const { rows } = await tx.query<{ epoch: number }>(
    'UPDATE auth.subjects SET epoch = epoch + 1, updated_at = now() WHERE tenant = $1 AND id = $2 RETURNING epoch',
    [tenant, id],
  );
  const row = rows[0];
  if (!row) throw new Error('no such subject');
  return row.epoch;
}

/** A person who is gone for good leaves nothing behind that they could come back with. */
export async function forgetSubject(tx: Sql, tenant: string, id: string): Promise<void> {
  await tx.query('DELETE FROM auth.credentials WHERE tenant = $1 AND subject_id = $2', [tenant, id]);
  await tx.query('DELETE FROM auth.consents WHERE tenant = $1 AND subject_id = $2', [tenant, id]);
  await tx.query('DELETE FROM auth.api_tokens WHERE tenant = $1 AND subject_id = $2', [tenant, id]);
  for (const table of ['totp_factors', 'recovery_codes', 'passkeys', 'invitations']) {
    await tx.query(`DELETE FROM auth.${table} WHERE tenant = $1 AND subject_id = $2`, [tenant, id]);
  }
  for (const table of ['role_assignments', 'group_role_holders', 'issuer_subjects']) {
    await tx.query(`DELETE FROM auth.${table} WHERE tenant = $1 AND subject_id = $2`, [tenant, id]);
  }
  await tx.query(`UPDATE auth.subjects SET withdrawals = '{}' WHERE tenant = $1 AND id = $2`, [tenant, id]);
}

const values = (fields: SubjectFields): unknown[] => [
  fields.deleted ? '' : fields.profile.userName,
  fields.deleted ? '' : userNameKey(fields.profile.userName),
  fields.deleted ? null : userNameMark(fields.profile.userName),
  fields.active && !fields.deleted,
  fields.deleted,
  fields.version.toString(),
  fields.departedVersion.toString(),
  JSON.stringify(fields.deleted ? { userName: '', emails: [] } : fields.profile),
];

/**
 * Counts that a person took back what they allowed a client. On their own row, which whoever redeems a code holds: so a
 * code is either redeemed before, and its grant is found, or reads the new count. False when there is no such client.
 */
export async function countWithdrawal(
  tx: Sql,
  tenant: string,
  id: string,
  clientId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE auth.subjects
        SET withdrawals = withdrawals || jsonb_build_object($3::text, COALESCE((withdrawals->>$3)::int, 0) + 1)
      WHERE tenant = $1 AND id = $2
        AND EXISTS (SELECT 1 FROM auth.clients WHERE tenant = $1 AND client_id = $3)`,
    [tenant, id, clientId],
  );
  return rowCount > 0;
}

/** Holds a person's row, active or not, against invitations and everything else that is issued. */
export async function holdSubject(tx: Sql, tenant: string, id: string): Promise<void> {
  await tx.query('SELECT 1 FROM auth.subjects WHERE tenant = $1 AND id = $2 FOR NO KEY UPDATE', [tenant, id]);
}

/**
 * Holds an active person's row against a departure, and against other issuing of the kind that is counted, until the
 * transaction ends. Their epoch; undefined when they aren't there or not active.
 */
export async function lockSubjectForIssuing(
  tx: Sql,
  tenant: string,
  id: string,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ epoch: number }>(
    `SELECT epoch FROM auth.subjects WHERE tenant = $1 AND id = $2 AND active AND NOT deleted FOR NO KEY UPDATE`,
    [tenant, id],
  );
  return rows[0]?.epoch;
}

/** The people of every tenant in PostgreSQL. */
export const postgresSubjects: SubjectStore = {
  find: findSubject,
  findByUserName: findSubjectsByUserName,
  knows: knowsSubject,
  storedAsGone,
  lock: lockSubject,
  lockForIssuing: lockSubjectForIssuing,
  hold: holdSubject,
  store: storeSubject,
  storePresent,
  noteDeparted,
  nextEpoch,
  countWithdrawal,
  forget: forgetSubject,
};
