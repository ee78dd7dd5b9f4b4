import type { Sql } from '@ostiary/database';
import type { VouchingWithdrawal, VouchingWithdrawals } from '../domain/vouching.ts';

/** Longer than any SCIM request, a Bulk included, takes. */
const settled = '2 minutes';

async function open(sql: Sql): Promise<VouchingWithdrawal[]> {
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

async function isWithdrawn(sql: Sql, { tenant, connectorId }: VouchingWithdrawal): Promise<boolean> {
  const { rows } = await sql.query(
    'SELECT 1 FROM provisioning.connectors WHERE tenant = $1 AND id = $2 AND vouching_ended_at IS NOT NULL',
    [tenant, connectorId],
  );
  return rows.length > 0;
}

async function close(sql: Sql, { tenant, connectorId, endedAt }: VouchingWithdrawal): Promise<void> {
  await sql.query(
    `UPDATE provisioning.connectors SET vouching_ended_at = NULL
      WHERE tenant = $1 AND id = $2 AND vouching_ended_at = $3`,
    [tenant, connectorId, endedAt],
  );
}

export const vouchingWithdrawals: VouchingWithdrawals = { open, isWithdrawn, close };
