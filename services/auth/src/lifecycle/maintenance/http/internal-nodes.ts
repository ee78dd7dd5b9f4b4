import { requireService } from '@ostiary/access';
import { nodesAskedFor } from '@ostiary/graph';
import type { FastifyInstance } from 'fastify';
import { badRequest, internalTenant, missing } from '../../../platform/protocol/http/internal.ts';
import type { NodeDependencies } from './dependencies.ts';

/**
 * POST /internal/v1/tenants/{t}/nodes {ids} → {nodes}: the types of objects with these ids, for `node(id:)`, which the
 * directory resolves. The result requires the same authorization as the fields of the object: its scope, or its
 * ownership.
 */
export function nodeRoutes(app: FastifyInstance, deps: NodeDependencies): void {
  const onRequest = requireService(deps.verifier, 'auth', ['directory']);
  app.post('/internal/v1/tenants/:tenant/nodes', { onRequest }, async (request, reply) => {
    const tenant = await internalTenant(deps, request);
    if (tenant === undefined) return missing(reply, 'tenant');
    const ids = nodesAskedFor(request.body);
    if (!ids) return badRequest(reply, '"ids" must be a list of ids.');
    return { nodes: await deps.nodes(tenant, ids) };
  });
}
