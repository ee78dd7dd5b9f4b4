import { requireService } from '@ostiary/access';
import { nodesAskedFor } from '@ostiary/graph';
import type { FastifyInstance } from 'fastify';
import { badRequest, internalTenant, missing } from '../../protocol/http/index.ts';
import type { NodeDependencies } from './dependencies.ts';

/**
 * POST /internal/v1/tenants/{t}/nodes {ids} → {nodes}: what of the graph these ids are of, for `node(id:)`, which the directory
 * answers. It says nothing that the fields of the thing don't: the caller has to have the scope, or be its owner.
 */
export function nodeRoutes(app: FastifyInstance, deps: NodeDependencies): void {
  const onRequest = requireService(deps.verifier, 'auth', ['directory']);
  app.post('/internal/v1/tenants/:tenant/nodes', { onRequest }, async (request, reply) => {
    const tenant = await internalTenant(deps, request);
    if (tenant === undefined) return missing(reply, 'tenant');
    const ids = nodesAskedFor(request.body);
    if (!ids) return badRequest(reply, '"ids" must be a list of ids.');
    return { nodes: await deps.nodes.of(tenant, ids) };
  });
}
