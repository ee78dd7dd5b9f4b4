import type { Sql } from '@ostiary/database';
import type { TenantPolicySettings } from '@ostiary/events';
import type { EndedOfTenant, TenantRow, TenantStore, ToldTenant } from '../domain/tenant-store.ts';

export async function findTenant(sql: Sql, id: string): Promise<TenantRow | undefined> {
  const { rows } = await sql.query<TenantRow>(
    'SELECT id, name, status, policy AS settings FROM auth.tenants WHERE id = $1',
    [id],
  );
  return rows[0];
}

export async function storeTenant(
  tx: Sql,
  tenant: ToldTenant,
  version: bigint,
): Promise<{
  stored: boolean;
  before: ToldTenant['status'] | undefined;
  settingsBefore: TenantPolicySettings;
  suspendedVersion: bigint;
}> {
  const { rows } = await tx.query<{
    status: ToldTenant['status'];
    settings: TenantPolicySettings;
    suspendedVersion: string;
  }>(
    `SELECT status, policy AS settings, suspended_version::text AS "suspendedVersion" FROM auth.tenants WHERE id = $1 FOR UPDATE`,
    [tenant.id],
  );
  const { rowCount } = await tx.query(
    `INSERT INTO auth.tenants AS t (id, name, status, version, policy, policy_version)
     VALUES ($1, $2, $3, $4, COALESCE($5::jsonb, '{}'), COALESCE($6::bigint, 0))
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, status = excluded.status,
       policy = COALESCE($5::jsonb, t.policy), policy_version = COALESCE($6::bigint, t.policy_version),
       version = excluded.version, updated_at = now()
     WHERE t.version < excluded.version`,
    [tenant.id, tenant.name, tenant.status, version.toString(), ...columnsOf(tenant)],
  );
  return {
    stored: rowCount > 0,
    before: rows[0]?.status,
    settingsBefore: rows[0]?.settings ?? {},
    suspendedVersion: BigInt(rows[0]?.suspendedVersion ?? 0),
  };
}

export async function noteSuspended(tx: Sql, id: string, version: bigint): Promise<void> {
  await tx.query(
    'UPDATE auth.tenants SET suspended_version = greatest(suspended_version, $2::bigint) WHERE id = $1',
    [id, version.toString()],
  );
}

const columnsOf = ({ policy }: ToldTenant): [settings: string | null, version: number | null] =>
  policy ? [JSON.stringify(policy.settings), policy.version] : [null, null];

export async function rememberTenant(sql: Sql, tenant: ToldTenant): Promise<void> {
  await sql.query(
    `INSERT INTO auth.tenants (id, name, status, version, policy, policy_version)
     VALUES ($1, $2, $3, 0, COALESCE($4::jsonb, '{}'), COALESCE($5::bigint, 0)) ON CONFLICT (id) DO NOTHING`,
    [tenant.id, tenant.name, tenant.status, ...columnsOf(tenant)],
  );
}

async function endEverythingOfTenant(
  tx: Sql,
  tenant: string,
  announceClients: AnnounceClients,
): Promise<EndedOfTenant> {
  await tx.query(
    `UPDATE auth.grants SET revoked_at = now(), expires_at = LEAST(expires_at, now() + interval '1 day')
      WHERE tenant = $1 AND revoked_at IS NULL`,
    [tenant],
  );
  await tx.query(
    'UPDATE auth.refresh_families SET revoked_at = now() WHERE tenant = $1 AND revoked_at IS NULL',
    [tenant],
  );
  const { rows: clients } = await tx.query<{ clientId: string; epoch: number }>(
    'UPDATE auth.clients SET epoch = epoch + 1 WHERE tenant = $1 RETURNING client_id AS "clientId", epoch',
    [tenant],
  );
  // Whoever still knew their last epoch would refuse what they ask for when the tenant is back.
  await announceClients(tx, tenant);
  const { rows: accounts } = await tx.query<{ clientId: string; epoch: number }>(
    'UPDATE auth.service_accounts SET epoch = epoch + 1 WHERE tenant = $1 RETURNING id::text AS "clientId", epoch',
    [tenant],
  );
  const { rows: tokens } = await tx.query<{ id: string }>(
    `SELECT id FROM auth.api_tokens
      WHERE tenant = $1 AND subject_id IS NOT NULL AND revoked_at IS NULL AND expires_at > now()`,
    [tenant],
  );
  return { clients: [...clients, ...accounts], personalTokens: tokens.map(({ id }) => id) };
}

/** Tells every process that all clients of a tenant changed, as soon as the transaction commits. */
type AnnounceClients = (tx: Sql, tenant: string) => Promise<void>;

export const postgresTenants = (announceClients: AnnounceClients): TenantStore => ({
  findTenant,
  storeTenant,
  noteSuspended,
  rememberTenant,
  endEverythingOfTenant: (tx: Sql, tenant) => endEverythingOfTenant(tx, tenant, announceClients),
});
