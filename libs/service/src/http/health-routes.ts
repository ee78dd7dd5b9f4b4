import type { FastifyInstance } from 'fastify';
import type { Health } from '../kit/health.ts';
import { type FailureReason, failureReasons } from '../kit/reasons.ts';

/** Adds liveness and readiness routes, for orchestrators and load balancers. */
export function addHealthRoutes(app: FastifyInstance, health: Health): void {
  app.get('/livez', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );

  app.get<{ Querystring: { tolerate?: unknown } }>('/readyz', async ({ query }, reply) => {
    const tolerated = toleratedBy(query.tolerate);
    if (tolerated === undefined) {
      const message = `tolerate must be reasons out of ${Object.keys(failureReasons).join(', ')}.`;
      return reply.code(400).send({ error: 'invalid_request', message });
    }
    const state = await health.state(tolerated);
    return reply
      .code(state.status === 'unavailable' ? 503 : 200)
      .header('cache-control', 'no-store')
      .send(state);
  });
}

/** Parses comma-separated reasons for which an unavailable dependency does not make the process unready. */
function toleratedBy(given: unknown): ReadonlySet<FailureReason> | undefined {
  if (given === undefined) return new Set();
  if (typeof given !== 'string') return undefined;
  const reasons = given.split(',');
  const isKnown = (reason: string): reason is FailureReason => Object.hasOwn(failureReasons, reason);
  return reasons.every(isKnown) ? new Set(reasons) : undefined;
}
