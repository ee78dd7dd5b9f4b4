import { requireService, type TokenVerifier } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import type { RevocationJournal } from '../domain/revocation-feed.ts';

/** GET /internal/v1/revocations?after={cursor}: the durable feed in pages, for verifiers in other processes. */
export function revocationRoutes(
  app: FastifyInstance,
  deps: { verifier: TokenVerifier; revocations: Pick<RevocationJournal, 'page'> },
): void {
  const onRequest = requireService(deps.verifier, 'auth');
  app.get('/internal/v1/revocations', { onRequest }, async (request, reply) => {
    const { after } = request.query as { after?: unknown };
    const page = await deps.revocations.page(typeof after === 'string' ? after : undefined);
    return reply.header('cache-control', 'no-store').send(page);
  });
}
