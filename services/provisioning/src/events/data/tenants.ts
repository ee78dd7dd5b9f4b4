import { type Sql, statement, typed } from '@ostiary/database';
import type { TenantPolicySettings } from '@ostiary/events';
import type { TenantSettings, TenantState } from '../domain/tenants.ts';

const upsert = statement({
  name: 'tenants.upsert',
  reason: 'atomic',
  text: `INSERT INTO provisioning.tenants AS t (id, name, status, version, policy, policy_version)
         VALUES ($id, $name, $status, $version, COALESCE($settings::jsonb, '{}'), COALESCE($policyVersion::bigint, 0))
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, status = excluded.status, version = excluded.version,
           policy = COALESCE($settings, t.policy), policy_version = COALESCE($policyVersion, t.policy_version)
          WHERE t.version < excluded.version`,
  parameters: {
    id: 'text',
    name: 'text',
    status: 'text',
    version: 'int8',
    settings: 'jsonb?',
    policyVersion: 'int8?',
  },
});

/** Stores a tenant from an event, unless a newer version is stored. */
export async function upsertTenant(tx: Sql, tenant: TenantState): Promise<void> {
  const { id, name, status, version, policy } = tenant;
  await upsert.run(tx, {
    id,
    name,
    status,
    version,
    settings: policy?.settings ?? null,
    policyVersion: policy?.version ?? null,
  });
}

const findSettings = statement({
  name: 'tenants.policySettings',
  reason: 'hot path',
  text: 'SELECT policy AS settings FROM provisioning.tenants WHERE id = $tenant',
  parameters: { tenant: 'text' },
  columns: { settings: typed<TenantPolicySettings>('jsonb') },
});

/** Returns a tenant's own settings from its received events. Called for each SCIM request that writes. */
const policySettings = async (sql: Sql, tenant: string): Promise<TenantPolicySettings> =>
  (await findSettings.first(sql, { tenant }))?.settings ?? {};

export const tenantSettings: TenantSettings = { upsert: upsertTenant, policySettings };
