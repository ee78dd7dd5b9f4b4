import { requireService, type TokenVerifier } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import {
  internalTenant,
  missing,
  type TenantDependencies,
} from '../../../platform/protocol/http/internal.ts';
import type { AdministratorStore } from '../domain/role-store.ts';

/**
 * GET /internal/v1/tenants/{t}/administrators → {subjects, groups}: current role holders: users with direct roles, and
 * groups with all their members. Provisioning can protect them from changes by identity sources.
 */
export function administratorRoutes(
  app: FastifyInstance,
  deps: TenantDependencies & {
    verifier: TokenVerifier;
    database: { sql: Transaction };
    administratorStore: AdministratorStore;
  },
): void {
  const onRequest = requireService(deps.verifier, 'auth', ['provisioning']);
  app.get('/internal/v1/tenants/:tenant/administrators', { onRequest }, async (request, reply) => {
    const tenant = await internalTenant(deps, request);
    if (tenant === undefined) return missing(reply, 'tenant');
    return deps.administratorStore.administratorsOf(deps.database.sql, tenant);
  });
}
