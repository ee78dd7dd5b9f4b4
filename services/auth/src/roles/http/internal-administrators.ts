import { requireService } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import type { PeopleDependencies } from '../../composition/people.ts';
import { internalTenant, missing } from '../../protocol/http/index.ts';
import { administratorsOf } from '../data/administrators.ts';

/**
 * GET /internal/v1/tenants/{t}/administrators → {subjects, groups}: everybody with a role, as of now: people by themselves, and
 * groups with all who are in them. Identity sources may be kept from touching them.
 */
export function administratorRoutes(app: FastifyInstance, deps: PeopleDependencies): void {
  const onRequest = requireService(deps.verifier, 'auth', ['provisioning']);
  app.get('/internal/v1/tenants/:tenant/administrators', { onRequest }, async (request, reply) => {
    const tenant = await internalTenant(deps, request);
    if (tenant === undefined) return missing(reply, 'tenant');
    return administratorsOf(deps.database.sql, tenant);
  });
}
