import type { Sql } from '@ostiary/database';
import type { TenantRecord } from '../domain/ports.ts';

/** A tenant as the directory last described it to this service. */
export async function findTenant(sql: Sql, id: string): Promise<TenantRecord | undefined> {
  const { rows } = await sql.query<TenantRecord>('SELECT id, name, status FROM auth.tenants WHERE id = $1', [
    id,
  ]);
  return rows[0];
}

/**
 * Takes in what an event says about a tenant, unless something newer is known.
 * @returns the status before, and whether the news was taken; the row stays locked until the transaction ends
 */
export async function storeTenant(
  tx: Sql,
  tenant: TenantRecord,
  version: bigint,
): Promise<{ stored: boolean; before: TenantRecord['status'] | undefined }> {
  const { rows } = await tx.query<{ status: TenantRecord['status'] }>(
    'SELECT status FROM auth.tenants WHERE id = $1 FOR UPDATE',
    [tenant.id],
  );
  const { rowCount } = await tx.query(
    `INSERT INTO auth.tenants AS t (id, name, status, version) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, status = excluded.status,
       version = excluded.version, updated_at = now()
     WHERE t.version < excluded.version`,
    [tenant.id, tenant.name, tenant.status, version.toString()],
  );
  return { stored: rowCount > 0, before: rows[0]?.status };
}

/** Remembers a tenant the directory was asked about. Any event about it is newer. */
export async function rememberTenant(sql: Sql, tenant: TenantRecord): Promise<void> {
  await sql.query(
    'INSERT INTO auth.tenants (id, name, status, version) VALUES ($1, $2, $3, 0) ON CONFLICT (id) DO NOTHING',
    [tenant.id, tenant.name, tenant.status],
  );
}

/**
 * Ends the sessions, grants and refresh tokens of a whole tenant, and counts every client's epoch up: each token names a
 * client and its epoch, so that reaches all of them.
 * @returns the clients with their new epochs
 */
export async function endEverythingOfTenant(
  tx: Sql,
  tenant: string,
): Promise<readonly { clientId: string; epoch: number }[]> {
  await tx.query(
    `UPDATE auth.sessions SET revoked_at = now(), expires_at = LEAST(expires_at, now())
      WHERE tenant = $1 AND revoked_at IS NULL`,
    [tenant],
  );
  await tx.query(
    `UPDATE auth.grants SET revoked_at = now(), expires_at = LEAST(expires_at, now() + interval '1 day')
      WHERE tenant = $1 AND revoked_at IS NULL`,
    [tenant],
  );
  await tx.query(
    'UPDATE auth.refresh_families SET revoked_at = now() WHERE tenant = $1 AND revoked_at IS NULL',
    [tenant],
  );
  const { rows } = await tx.query<{ clientId: string; epoch: number }>(
    'UPDATE auth.clients SET epoch = epoch + 1 WHERE tenant = $1 RETURNING client_id AS "clientId", epoch',
    [tenant],
  );
  return rows;
}
