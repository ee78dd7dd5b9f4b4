import { type Sql, statement, typed } from '@ostiary/database';
import { userNameKey, userNameMark } from '@ostiary/scim';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { SubjectProfile } from '../domain/subject.ts';
import type { SubjectFields, SubjectState, SubjectStore } from '../domain/subject-store.ts';

/** Reports whether the id is stored, deleted or not. */
export async function knowsSubject(sql: Connection, tenant: string, id: string): Promise<boolean> {
  const prisma = await sql.prisma();
  const found = await prisma.subject.findUnique({
    where: { tenant_id: { tenant, id } },
    select: { id: true },
  });
  return found !== null;
}

const fieldParameters = {
  tenant: 'text',
  id: 'uuid',
  userName: 'text',
  userNameKey: 'text',
  userNameKeyed: 'text?',
  active: 'bool',
  deleted: 'bool',
  version: 'int8',
  departedVersion: 'int8',
  reportedVersion: 'int8',
  profile: typed<SubjectProfile>('jsonb'),
} as const;

const values = (tenant: string, id: string, fields: SubjectFields) => ({
  tenant,
  id,
  userName: fields.deleted ? '' : fields.profile.userName,
  userNameKey: fields.deleted ? '' : userNameKey(fields.profile.userName),
  userNameKeyed: fields.deleted ? null : userNameMark(fields.profile.userName),
  active: fields.active && !fields.deleted,
  deleted: fields.deleted,
  version: fields.version,
  departedVersion: fields.departedVersion,
  reportedVersion: fields.reportedVersion,
  profile: fields.deleted ? { userName: '', emails: [] } : fields.profile,
});

const insertUnlessThere = statement({
  name: 'subjects.insert',
  reason: 'atomic',
  text: `INSERT INTO auth.subjects
       (tenant, id, user_name, user_name_key, user_name_keyed, active, deleted, version, departed_version, reported_version, profile)
     VALUES ($tenant, $id, $userName, $userNameKey, $userNameKeyed, $active, $deleted, $version, $departedVersion,
       $reportedVersion, $profile)
     ON CONFLICT (tenant, id) DO NOTHING`,
  parameters: fieldParameters,
});

const lockState = statement({
  name: 'subjects.lock',
  reason: 'atomic',
  text: `SELECT active, deleted, version::text AS version, departed_version::text AS "departedVersion",
            reported_version::text AS "reportedVersion", epoch
       FROM auth.subjects WHERE tenant = $tenant AND id = $id FOR UPDATE`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: {
    active: 'bool',
    deleted: 'bool',
    version: 'text',
    departedVersion: 'text',
    reportedVersion: 'text',
    epoch: 'int4',
  },
});

/**
 * Locks a subject against everything that creates sessions or grants for it (which lock the row FOR SHARE), and creates
 * the row if it is missing. `created` reports that it was created, with the given fields.
 */
export async function lockSubject(
  tx: Sql,
  tenant: string,
  id: string,
  initial: SubjectFields,
): Promise<{ state: SubjectState; created: boolean }> {
  const existing = await selectForUpdate(tx, tenant, id);
  if (existing) return { state: existing, created: false };
  const inserted = await insertUnlessThere.count(tx, values(tenant, id, initial));
  const state = await selectForUpdate(tx, tenant, id);
  if (!state) throw new Error('a subject vanished while it was being written');
  return { state, created: inserted > 0 };
}

async function selectForUpdate(tx: Sql, tenant: string, id: string): Promise<SubjectState | undefined> {
  const row = await lockState.first(tx, { tenant, id });
  return (
    row && {
      ...row,
      version: BigInt(row.version),
      departedVersion: BigInt(row.departedVersion),
      reportedVersion: BigInt(row.reportedVersion),
    }
  );
}

/** Runs for each offboarding. */
const overwrite = statement({
  name: 'subjects.store',
  reason: 'hot path',
  text: `UPDATE auth.subjects SET user_name = $userName, user_name_key = $userNameKey, user_name_keyed = $userNameKeyed,
            active = $active, deleted = $deleted, version = $version, departed_version = $departedVersion,
            reported_version = $reportedVersion, profile = $profile, updated_at = now()
      WHERE tenant = $tenant AND id = $id`,
  parameters: fieldParameters,
});

/** Replaces the stored fields of a subject. The caller holds its lock and has compared versions. */
export async function storeSubject(
  tx: Sql,
  tenant: string,
  id: string,
  fields: SubjectFields,
): Promise<void> {
  await overwrite.run(tx, values(tenant, id, fields));
}

// Inserts in one order, to prevent deadlocks between batches.
const insertPresent = statement({
  name: 'subjects.store-present',
  reason: 'set',
  text: `INSERT INTO auth.subjects AS s
       (tenant, id, user_name, user_name_key, user_name_keyed, active, deleted, version, departed_version, profile)
     SELECT n.tenant, n.id, n.user_name, n.user_name_key, n.user_name_keyed, true, false, n.version, n.version, n.profile
       FROM jsonb_to_recordset($people::jsonb) AS n
              (tenant text, id uuid, user_name text, user_name_key text, user_name_keyed text, version bigint, profile jsonb)
      ORDER BY n.tenant, n.id
     ON CONFLICT (tenant, id) DO UPDATE SET user_name = excluded.user_name, user_name_key = excluded.user_name_key,
       user_name_keyed = excluded.user_name_keyed, active = true, deleted = false, version = excluded.version,
       profile = excluded.profile, updated_at = now()
     WHERE s.version < excluded.version`,
  parameters: { people: 'jsonb' },
});

/**
 * Stores active users, each unless a newer version is stored. The users must be distinct. For a new user, every
 * offboarding before this version counts as carried out.
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
  await insertPresent.run(tx, { people: rows });
}

const findGone = statement({
  name: 'subjects.stored-as-gone',
  reason: 'set',
  text: `SELECT s.tenant, s.id FROM unnest($tenants::text[], $ids::uuid[]) AS asked (tenant, id)
       JOIN auth.subjects s ON s.tenant = asked.tenant AND s.id = asked.id
      WHERE NOT s.active`,
  parameters: { tenants: 'text[]', ids: 'uuid[]' },
  columns: { tenant: 'text', id: 'uuid' },
});

/** Returns those of the users that are stored as inactive or deleted, as `tenant/id`. */
export async function storedAsGone(
  sql: Sql,
  people: readonly { tenant: string; subject: string }[],
): Promise<ReadonlySet<string>> {
  if (people.length === 0) return new Set();
  const rows = await findGone.rows(sql, {
    tenants: people.map(({ tenant }) => tenant),
    ids: people.map(({ subject }) => subject),
  });
  return new Set(rows.map(({ tenant, id }) => `${tenant}/${id}`));
}

/** Runs for each offboarding event that arrives late. */
const raiseOffboarded = statement({
  name: 'subjects.note-departed',
  reason: 'atomic',
  text: `UPDATE auth.subjects SET departed_version = greatest(departed_version, $departedVersion::bigint),
            reported_version = greatest(reported_version, $reportedVersion::bigint), updated_at = now()
      WHERE tenant = $tenant AND id = $id`,
  parameters: { tenant: 'text', id: 'uuid', departedVersion: 'int8', reportedVersion: 'int8' },
});

/** Records the version up to which offboardings are carried out, and the latest reported one. */
export async function noteDeparted(
  tx: Sql,
  tenant: string,
  id: string,
  { departedVersion, reportedVersion }: Pick<SubjectState, 'departedVersion' | 'reportedVersion'>,
): Promise<void> {
  await raiseOffboarded.run(tx, { tenant, id, departedVersion, reportedVersion });
}

/** Runs for each offboarding. */
const raiseEpoch = statement({
  name: 'subjects.next-epoch',
  reason: 'hot path',
  text: `UPDATE auth.subjects SET epoch = epoch + 1, updated_at = now()
          WHERE tenant = $tenant AND id = $id RETURNING epoch`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { epoch: 'int4' },
});

/** Increments the epoch of the subject, which revokes everything issued before; returns the new epoch. */
export async function nextEpoch(tx: Sql, tenant: string, id: string): Promise<number> {
  const row = await raiseEpoch.first(tx, { tenant, id });
  if (!row) throw new Error('no such subject');
  return row.epoch;
}

/** Deletes everything with which a permanently deleted user could sign in or act again. */
export async function forgetSubject(tx: Connection, tenant: string, id: string): Promise<void> {
  const prisma = await tx.prisma();
  const own = { where: { tenant, subjectId: id } };
  await prisma.credential.deleteMany(own);
  await prisma.consent.deleteMany(own);
  await prisma.apiToken.deleteMany(own);
  await prisma.totpFactor.deleteMany(own);
  await prisma.recoveryCode.deleteMany(own);
  await prisma.passkey.deleteMany(own);
  await prisma.invitation.deleteMany(own);
  await prisma.roleAssignment.deleteMany(own);
  await prisma.groupRoleHolder.deleteMany(own);
  await prisma.issuerSubject.deleteMany(own);
  await prisma.subject.updateMany({ where: { tenant, id }, data: { withdrawals: {} } });
}

const holdRow = statement({
  name: 'subjects.hold',
  reason: 'atomic',
  text: 'SELECT FROM auth.subjects WHERE tenant = $tenant AND id = $id FOR NO KEY UPDATE',
  parameters: { tenant: 'text', id: 'uuid' },
});

/** Locks the row of a user, active or not, so that no invitation or token is issued concurrently. */
export async function holdSubject(tx: Sql, tenant: string, id: string): Promise<void> {
  await holdRow.run(tx, { tenant, id });
}

const holdActive = statement({
  name: 'subjects.lock-for-issuing',
  reason: 'atomic',
  text: `SELECT epoch FROM auth.subjects
          WHERE tenant = $tenant AND id = $id AND active AND NOT deleted FOR NO KEY UPDATE`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { epoch: 'int4' },
});

/**
 * Locks the row of an active user against offboarding, and serializes issuing that counts against a limit, until the
 * end of the transaction. Returns the epoch; undefined if the user does not exist or is inactive.
 */
export const lockSubjectForIssuing = async (
  tx: Sql,
  tenant: string,
  id: string,
): Promise<number | undefined> => (await holdActive.first(tx, { tenant, id }))?.epoch;

export const postgresSubjects: SubjectStore = {
  knows: knowsSubject,
  storedAsGone,
  lock: lockSubject,
  lockForIssuing: lockSubjectForIssuing,
  hold: holdSubject,
  store: storeSubject,
  storePresent,
  noteDeparted,
  nextEpoch,
  forget: forgetSubject,
};
