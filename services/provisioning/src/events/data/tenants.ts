import type { Sql } from '@ostiary/database';
import type { TenantPolicySettings } from '@ostiary/events';
import type { TenantSettings, TenantState } from '../domain/tenants.ts';

/** Writes what an event says of a tenant, unless something newer is known. */
export async function upsertTenant(tx: Sql, tenant: TenantState): Promise<void> {
  const { id, name, status, version, policy } = tenant;
  await tx.query(
    `INSERT INTO provisioning.tenants AS t (id, name, status, version, policy, policy_version)
     VALUES ($1, $2, $3, $4, COALESCE($5::jsonb, '{}'), COALESCE($6::bigint, 0))
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, status = excluded.status, version = excluded.version,
       policy = COALESCE($5::jsonb, t.policy), policy_version = COALESCE($6::bigint, t.policy_version)
      WHERE t.version < excluded.version`,
    [id, name, status, version, policy ? JSON.stringify(policy.settings) : null, policy?.version ?? null],
  );
}

/** What a tenant set for itself, as far as its events have arrived. */
async function policySettings(sql: Sql, tenant: string): Promise<TenantPolicySettings> {
  const { rows } = await sql.query<{ settings: TenantPolicySettings }>(
    'SELECT policy AS settings FROM provisioning.tenants WHERE id = $1',
    [tenant],
  );
  return rows[0]?.settings ?? {};
}

export const tenantSettings: TenantSettings = { upsert: upsertTenant, policySettings };
