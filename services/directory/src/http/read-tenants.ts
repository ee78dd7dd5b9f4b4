import type { FastifyInstance } from 'fastify';
import type { Tenant } from '../data/tenants.ts';
import type { Directory } from '../domain/directory.ts';
import type { TenantParams } from './routes.ts';

export interface TenantBody {
  id: string;
  name: string;
  status: Tenant['status'];
}

export const presentTenant = ({ id, name, status }: Tenant): TenantBody => ({ id, name, status });

/** GET /internal/v1/tenants → {tenants}, GET /internal/v1/tenants/{tenant} → 200 | 404 */
export function readTenants(app: FastifyInstance, directory: Directory): void {
  app.get('/internal/v1/tenants', async () => ({
    tenants: (await directory.tenants.list()).map(presentTenant),
  }));

  app.get<{ Params: TenantParams }>('/internal/v1/tenants/:tenant', async (request) =>
    presentTenant(await directory.tenants.read(request.params.tenant)),
  );
}
