import type { VersionedTenantPolicy } from '@ostiary/events';
import type { FastifyInstance } from 'fastify';
import type { TenantParams } from '../../resources/http/routes.ts';
import type { Tenant } from '../domain/tenant.ts';
import { emittedPolicy } from '../domain/tenant-policy.ts';
import type { TenantRegistry } from '../domain/tenants.ts';

interface TenantBody {
  id: string;
  name: string;
  status: Tenant['status'];
  policy: VersionedTenantPolicy;
}

export const presentTenant = (tenant: Tenant): TenantBody => {
  const { id, name, status } = tenant;
  return { id, name, status, policy: emittedPolicy(tenant) };
};

/** GET /internal/v1/tenants → {tenants}, GET /internal/v1/tenants/{tenant} → 200 | 404 */
export function readTenants(app: FastifyInstance, tenants: TenantRegistry): void {
  app.get('/internal/v1/tenants', async () => ({
    tenants: (await tenants.list()).map(presentTenant),
  }));

  app.get<{ Params: TenantParams }>('/internal/v1/tenants/:tenant', async (request) =>
    presentTenant(await tenants.read(request.params.tenant)),
  );
}
