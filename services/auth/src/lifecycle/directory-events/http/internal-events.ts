import { requireService, type TokenVerifier } from '@ostiary/access';
import { type EventConsumer, readEvents } from '@ostiary/events';
import type { FastifyInstance } from 'fastify';
import { badRequest, objectOf, uuidOf } from '../../../platform/protocol/http/internal.ts';

/** Maximum number of ids per request. */
const maxIds = 10_000;

/**
 * POST /internal/v1/events/missing {ids}: returns the events that were not processed here yet. The sender sends them
 * again.
 * POST /internal/v1/events {events}: receives events outside the queue; 204 after they are processed.
 */
export function eventRoutes(
  app: FastifyInstance,
  deps: { verifier: TokenVerifier; directoryEvents: EventConsumer },
): void {
  const onRequest = requireService(deps.verifier, 'auth', ['directory']);
  app.post('/internal/v1/events/missing', { onRequest }, async (request, reply) => {
    const { ids } = objectOf(request.body);
    if (!Array.isArray(ids) || ids.length > maxIds)
      return badRequest(reply, `ids must be a list of up to ${maxIds}.`);
    const known = ids.map(uuidOf);
    if (!known.every((id) => id !== undefined)) return badRequest(reply, 'ids must be event ids.');
    return reply.send({ missing: await deps.directoryEvents.missing(known) });
  });
  app.post('/internal/v1/events', { onRequest }, async (request, reply) => {
    const events = readEvents(request.body);
    if (events === undefined) return badRequest(reply, 'events must be a list of events.');
    await deps.directoryEvents.accept(events);
    return reply.code(204).send();
  });
}
