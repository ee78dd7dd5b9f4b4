import type { VersionedTenantPolicy } from '@ostiary/events';
import type { FastifyInstance } from 'fastify';
import type { Directory } from '../../composition/directory.ts';
import type { TenantParams } from '../../resources/http/routes.ts';
import type { Tenant } from '../data/tenants.ts';
import { toldPolicy } from '../domain/tenant-policy.ts';

export interface TenantBody {
  id: string;
  name: string;
  status: Tenant['status'];
  policy: VersionedTenantPolicy;
}

export const presentTenant = (tenant: Tenant): TenantBody => {
  const { id, name, status } = tenant;
  return { id, name, status, policy: toldPolicy(tenant) };
};

/** GET /internal/v1/tenants → {tenants}, GET /internal/v1/tenants/{tenant} → 200 | 404 */
export function readTenants(app: FastifyInstance, directory: Directory): void {
  app.get('/internal/v1/tenants', async () => ({
    tenants: (await directory.tenants.list()).map(presentTenant),
  }));

  app.get<{ Params: TenantParams }>('/internal/v1/tenants/:tenant', async (request) =>
    presentTenant(await directory.tenants.read(request.params.tenant)),
  );
}
