import { requireService, type TokenVerifier } from '@ostiary/access';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FeedWaiting } from './domain/feed-waiting.ts';

/** Maximum time in seconds that a response is held. A longer `Prefer: wait` is reduced to it. */
const maxWaitSeconds = 10;

/**
 * GET /internal/v1/revocations?after={cursor}: the durable feed in pages, for verifiers in other processes. With
 * `Prefer: wait={seconds}` (RFC 7240 §4.3) a response without new entries is held until there are some, or until the
 * time is over.
 */
export function revocationRoutes(
  app: FastifyInstance,
  deps: { verifier: TokenVerifier; feedWaiting: FeedWaiting },
): void {
  const onRequest = requireService(deps.verifier, 'auth');
  app.get('/internal/v1/revocations', { onRequest }, async (request, reply) => {
    const { after } = request.query as { after?: unknown };
    const seconds = preferredWait(request);
    const gone = new AbortController();
    if (seconds > 0) reply.raw.once('close', () => gone.abort());
    const page = await deps.feedWaiting.page(
      typeof after === 'string' ? after : undefined,
      seconds > 0 ? { ms: seconds * 1_000, gone: gone.signal } : undefined,
    );
    return reply.header('cache-control', 'no-store').send(page);
  });
  // Waiting requests are answered before the process ends.
  app.addHook('preClose', async () => deps.feedWaiting.release());
}

function preferredWait({ headers: { prefer } }: FastifyRequest): number {
  const [, seconds = '0'] = /^wait=(\d{1,4})$/.exec(String(prefer ?? '')) ?? [];
  return Math.min(maxWaitSeconds, Number(seconds));
}
