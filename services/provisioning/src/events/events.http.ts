import { requireService, type TokenVerifier } from '@ostiary/access';
import { type EventConsumer, readEvents } from '@ostiary/events';
import { isUuid } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';

const maxIds = 10_000;

/**
 * POST /internal/v1/events/missing {ids} → {missing}: the events of the directory that are not applied here.
 *
 * POST /internal/v1/events {events}: delivers events outside of the queue; 204 when they are applied.
 */
export function eventRoutes(app: FastifyInstance, verifier: TokenVerifier, consumer: EventConsumer): void {
  const onRequest = requireService(verifier, 'provisioning', ['directory']);
  app.post('/internal/v1/events/missing', { onRequest }, async (request, reply) => {
    const ids = (request.body as { ids?: unknown } | null | undefined)?.ids;
    if (
      !Array.isArray(ids) ||
      ids.length > maxIds ||
      !ids.every((id) => typeof id === 'string' && isUuid(id))
    ) {
      return reply
        .code(400)
        .send({ error: 'invalid_request', message: '"ids" must be a list of event ids.' });
    }
    return { missing: await consumer.missing(ids) };
  });
  app.post('/internal/v1/events', { onRequest }, async (request, reply) => {
    const events = readEvents(request.body);
    if (events === undefined) {
      return reply
        .code(400)
        .send({ error: 'invalid_request', message: '"events" must be a list of events.' });
    }
    await consumer.accept(events);
    return reply.code(204).send();
  });
}
