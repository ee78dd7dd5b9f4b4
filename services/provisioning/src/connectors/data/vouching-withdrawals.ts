import type { Sql } from '@ostiary/database';

/** A connector that stood for e-mail addresses, and since when it doesn't. */
export interface VouchingWithdrawal {
  tenant: string;
  connectorId: string;
  endedAt: Date;
  /** Whether a change that was begun while it still did may be under way. */
  recent: boolean;
}

/** Longer than any SCIM request, a Bulk included, takes. */
const settled = '2 minutes';

/** Withdrawals that the directory has to be told of, of all tenants; the oldest first. */
export async function openWithdrawals(sql: Sql): Promise<VouchingWithdrawal[]> {
  const { rows } = await sql.query<{ tenant: string; id: string; ended_at: Date; recent: boolean }>(
    `SELECT tenant, id, vouching_ended_at AS ended_at, vouching_ended_at > now() - interval '${settled}' AS recent
       FROM provisioning.connectors WHERE vouching_ended_at IS NOT NULL ORDER BY vouching_ended_at LIMIT 100`,
  );
  return rows.map(({ tenant, id, ended_at: endedAt, recent }) => ({
    tenant,
    connectorId: id,
    endedAt,
    recent,
  }));
}

/** Whether it is still so: an administrator may say of a connector that it stands for addresses again. */
export async function isWithdrawn(sql: Sql, { tenant, connectorId }: VouchingWithdrawal): Promise<boolean> {
  const { rows } = await sql.query(
    'SELECT 1 FROM provisioning.connectors WHERE tenant = $1 AND id = $2 AND vouching_ended_at IS NOT NULL',
    [tenant, connectorId],
  );
  return rows.length > 0;
}

/** The directory knows it; a later withdrawal stays. */
export async function closeWithdrawal(
  sql: Sql,
  { tenant, connectorId, endedAt }: VouchingWithdrawal,
): Promise<void> {
  await sql.query(
    `UPDATE provisioning.connectors SET vouching_ended_at = NULL
      WHERE tenant = $1 AND id = $2 AND vouching_ended_at = $3`,
    [tenant, connectorId, endedAt],
  );
}
