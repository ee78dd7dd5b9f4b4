import type { Sql } from '@ostiary/database';

export interface TenantState {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  version: number;
}

/** Writes what an event says of a tenant, unless something newer is known. */
export async function upsertTenant(tx: Sql, tenant: TenantState): Promise<void> {
  await tx.query(
    `INSERT INTO provisioning.tenants AS t (id, name, status, version) VALUES ($1, $2, $3, $4)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, status = excluded.status, version = excluded.version
      WHERE t.version < excluded.version`,
    [tenant.id, tenant.name, tenant.status, tenant.version],
  );
}
