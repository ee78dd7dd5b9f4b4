import type { Sql } from '@ostiary/database';
import type { FactorCounts, SecondFactorStore, StoredTotp } from '../domain/credential-store.ts';

/** Which second factors a user has. One statement: it is asked at every sign-in. */
export async function countFactors(sql: Sql, tenant: string, subjectId: string): Promise<FactorCounts> {
  const { rows } = await sql.query<FactorCounts>(
    `SELECT EXISTS (SELECT 1 FROM auth.totp_factors WHERE tenant = $1 AND subject_id = $2) AS totp,
            (SELECT count(*)::int FROM auth.passkeys WHERE tenant = $1 AND subject_id = $2) AS passkeys,
            (SELECT count(*)::int FROM auth.recovery_codes
              WHERE tenant = $1 AND subject_id = $2 AND used_at IS NULL) AS "recoveryCodes"`,
    [tenant, subjectId],
  );
  return rows[0] ?? { totp: false, passkeys: 0, recoveryCodes: 0 };
}

export async function findTotp(sql: Sql, tenant: string, subjectId: string): Promise<StoredTotp | undefined> {
  const { rows } = await sql.query<StoredTotp>(
    'SELECT secret, created_at AS "createdAt" FROM auth.totp_factors WHERE tenant = $1 AND subject_id = $2',
    [tenant, subjectId],
  );
  return rows[0];
}

/** Adds the authenticator app of a user who has none. False when they have one by now. */
export async function insertTotp(
  tx: Sql,
  tenant: string,
  subjectId: string,
  totp: { secret: Buffer; lastStep: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO auth.totp_factors (tenant, subject_id, secret, last_step) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant, subject_id) DO NOTHING`,
    [tenant, subjectId, totp.secret, totp.lastStep],
  );
  return rowCount > 0;
}

/** Uses up a time step, and all before it: of any number of callers with one code, one gets true. */
export async function spendTotpStep(
  sql: Sql,
  tenant: string,
  subjectId: string,
  step: number,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE auth.totp_factors SET last_step = $3
      WHERE tenant = $1 AND subject_id = $2 AND last_step < $3`,
    [tenant, subjectId, step],
  );
  return rowCount > 0;
}

export async function deleteTotp(tx: Sql, tenant: string, subjectId: string): Promise<boolean> {
  const { rowCount } = await tx.query('DELETE FROM auth.totp_factors WHERE tenant = $1 AND subject_id = $2', [
    tenant,
    subjectId,
  ]);
  return rowCount > 0;
}

/** Replaces a user's recovery codes; the old ones are worth nothing from then on. */
export async function replaceRecoveryCodes(
  tx: Sql,
  tenant: string,
  subjectId: string,
  digests: readonly Buffer[],
): Promise<void> {
  await deleteRecoveryCodes(tx, tenant, subjectId);
  await tx.query(
    `INSERT INTO auth.recovery_codes (tenant, subject_id, digest) SELECT $1, $2, unnest($3::bytea[])`,
    [tenant, subjectId, [...digests]],
  );
}

export async function deleteRecoveryCodes(tx: Sql, tenant: string, subjectId: string): Promise<void> {
  await tx.query('DELETE FROM auth.recovery_codes WHERE tenant = $1 AND subject_id = $2', [
    tenant,
    subjectId,
  ]);
}

/** Uses up a recovery code: of any number of callers, one gets true. */
export async function spendRecoveryCode(
  sql: Sql,
  tenant: string,
  subjectId: string,
  digest: Buffer,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE auth.recovery_codes SET used_at = now()
      WHERE tenant = $1 AND subject_id = $2 AND digest = $3 AND used_at IS NULL`,
    [tenant, subjectId, digest],
  );
  return rowCount > 0;
}

/** Recovery codes stand for a second factor; without one there is nothing to recover. */
export async function dropNeedlessRecoveryCodes(tx: Sql, tenant: string, subjectId: string): Promise<void> {
  await tx.query(
    `DELETE FROM auth.recovery_codes WHERE tenant = $1 AND subject_id = $2
        AND NOT EXISTS (SELECT 1 FROM auth.totp_factors WHERE tenant = $1 AND subject_id = $2)
        AND NOT EXISTS (SELECT 1 FROM auth.passkeys WHERE tenant = $1 AND subject_id = $2)`,
    [tenant, subjectId],
  );
}

/** The subject's epoch while they are active; undefined when they aren't. */
export async function activeEpoch(sql: Sql, tenant: string, subjectId: string): Promise<number | undefined> {
  const { rows } = await sql.query<{ epoch: number }>(
    'SELECT epoch FROM auth.subjects WHERE tenant = $1 AND id = $2 AND active AND NOT deleted',
    [tenant, subjectId],
  );
  return rows[0]?.epoch;
}

export const secondFactorStore: SecondFactorStore = {
  count: countFactors,
  activeEpoch,
  findTotp,
  insertTotp,
  spendTotpStep,
  deleteTotp,
  replaceRecoveryCodes,
  deleteRecoveryCodes,
  spendRecoveryCode,
  dropNeedlessRecoveryCodes,
};
