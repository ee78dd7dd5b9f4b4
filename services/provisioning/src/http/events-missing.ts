import { requireService, type TokenVerifier } from '@ostiary/access';
import { isUuid } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';

const mostIds = 10_000;

/** POST /internal/v1/events/missing {ids} → {missing}: which events of the directory have had no effect here yet. */
export function eventsMissing(
  app: FastifyInstance,
  verifier: TokenVerifier,
  missing: (ids: string[]) => Promise<string[]>,
): void {
  app.post(
    '/internal/v1/events/missing',
    { onRequest: requireService(verifier, 'provisioning', ['directory']) },
    async (request, reply) => {
      const ids = (request.body as { ids?: unknown } | null | undefined)?.ids;
      if (
        !Array.isArray(ids) ||
        ids.length > mostIds ||
        !ids.every((id) => typeof id === 'string' && isUuid(id))
      ) {
        return reply
          .code(400)
          .send({ error: 'invalid_request', message: '"ids" must be a list of event ids.' });
      }
      return { missing: await missing(ids) };
    },
  );
}
