import type { Sql } from '@ostiary/database';
import type { RoleHolderStore } from '../domain/role-holder-store.ts';

/** Seconds after which the directory is told again, in case it has forgotten: a backup was restored, an older release heard it. */
const notifiedAgainSeconds = 3_600;

export async function untoldHolders(
  sql: Sql,
  limit: number,
): Promise<{ tenant: string; subjectId: string }[]> {
  const { rows } = await sql.query<{ tenant: string; subjectId: string }>(
    `SELECT tenant, subject_id AS "subjectId" FROM auth.role_holders
     WHERE told_at IS NULL OR told_at < now() - $2 * interval '1 second'
     ORDER BY told_at NULLS FIRST LIMIT $1`,
    [limit, notifiedAgainSeconds],
  );
  return rows;
}

export async function lockHolder(tx: Sql, tenant: string, subjectId: string): Promise<number | undefined> {
  const { rows } = await tx.query<{ version: number }>(
    `WITH held AS (SELECT FROM auth.role_holders WHERE tenant = $1 AND subject_id = $2 FOR UPDATE)
     SELECT nextval('auth.role_holders_version_seq') AS version FROM held`,
    [tenant, subjectId],
  );
  return rows[0] && Number(rows[0].version);
}

export async function ownRolesOf(tx: Sql, tenant: string, subjectId: string): Promise<string[]> {
  const { rows } = await tx.query<{ role: string }>(
    'SELECT role FROM auth.role_assignments WHERE tenant = $1 AND subject_id = $2',
    [tenant, subjectId],
  );
  return rows.map(({ role }) => role);
}

export async function noteHolderNotified(
  tx: Sql,
  tenant: string,
  subjectId: string,
  isHolder: boolean,
): Promise<void> {
  await tx.query(
    isHolder
      ? 'UPDATE auth.role_holders SET told_at = now() WHERE tenant = $1 AND subject_id = $2'
      : 'DELETE FROM auth.role_holders WHERE tenant = $1 AND subject_id = $2',
    [tenant, subjectId],
  );
}

export const postgresRoleHolders: RoleHolderStore = {
  untoldHolders,
  lockHolder,
  ownRolesOf,
  noteHolderNotified,
};
