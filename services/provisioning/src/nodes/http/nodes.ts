import { requireService, type TokenVerifier } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import { nodesAskedFor } from '@ostiary/graph';
import type { FastifyInstance } from 'fastify';
import { nodesOf } from '../data/nodes.ts';

/**
 * POST /internal/v1/tenants/{t}/nodes {ids} → {nodes}: what of the graph these ids are of, for `node(id:)`, which the directory
 * answers.
 */
export function nodeRoutes(app: FastifyInstance, verifier: TokenVerifier, sql: Sql): void {
  const onRequest = requireService(verifier, 'provisioning', ['directory']);
  app.post('/internal/v1/tenants/:tenant/nodes', { onRequest }, async (request, reply) => {
    const ids = nodesAskedFor(request.body);
    if (!ids) {
      return reply.code(400).send({ error: 'invalid_request', message: '"ids" must be a list of ids.' });
    }
    return { nodes: await nodesOf(sql, (request.params as { tenant: string }).tenant, ids) };
  });
}
