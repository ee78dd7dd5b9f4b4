import { requireService, type TokenVerifier } from '@ostiary/access';
import { nodesAskedFor } from '@ostiary/graph';
import type { Transaction } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { GraphNodes } from './nodes.ts';

/**
 * POST /internal/v1/tenants/{t}/nodes {ids} → {nodes}: the types of these ids in the graph, for `node(id:)`, which
 * the directory resolves.
 */
export function nodeRoutes(
  app: FastifyInstance,
  { verifier, sql, nodes }: { verifier: TokenVerifier; sql: Transaction; nodes: GraphNodes },
): void {
  const onRequest = requireService(verifier, 'provisioning', ['directory']);
  app.post('/internal/v1/tenants/:tenant/nodes', { onRequest }, async (request, reply) => {
    const ids = nodesAskedFor(request.body);
    if (!ids) {
      return reply.code(400).send({ error: 'invalid_request', message: '"ids" must be a list of ids.' });
    }
    return { nodes: await nodes.find(sql, (request.params as { tenant: string }).tenant, ids) };
  });
}
