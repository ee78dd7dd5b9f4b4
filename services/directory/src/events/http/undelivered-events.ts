import { requireService, type TokenVerifier } from '@ostiary/access';
import { ScimError } from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { Takeover } from '../../recovery/index.ts';
import { type EventDeliveries, undeliveredSince } from '../domain/deliveries.ts';

/**
 * GET /internal/v1/events/undelivered?after={event id} → {events, more}: events that end access and that the
 * authorization server has not confirmed. After an interruption it requests them before it grants access again. Other
 * services are rejected.
 */
export function undeliveredEvents(
  app: FastifyInstance,
  o: { deliveries: EventDeliveries; takeover: Takeover; verifier: TokenVerifier },
): void {
  const { deliveries, takeover, verifier } = o;
  const onRequest = requireService(verifier, 'directory', ['auth']);
  app.get('/internal/v1/events/undelivered', { onRequest }, async (request, reply) => {
    const { after } = request.query as { after?: unknown };
    if (after !== undefined && !(typeof after === 'string' && isUuid(after))) {
      throw ScimError.invalidValue('"after" must be the id of an event.');
    }
    return reply
      .header('cache-control', 'no-store')
      .send(await undeliveredSince(deliveries, takeover, after));
  });
  confirmedEvents(app, deliveries, verifier);
}

/** Maximum number of ids in one request. */
const maxIds = 500;

/**
 * POST /internal/v1/events/confirm {ids} → {words: [{event, active}]}: the emitted events of these ids, and whether
 * their subjects are active now. An event from Redis alone grants no access: its consumer confirms it here first.
 */
function confirmedEvents(app: FastifyInstance, deliveries: EventDeliveries, verifier: TokenVerifier): void {
  const onRequest = requireService(verifier, 'directory', ['auth', 'provisioning']);
  app.post('/internal/v1/events/confirm', { onRequest }, async (request, reply) => {
    const { ids } = (request.body ?? {}) as { ids?: unknown };
    const isList = Array.isArray(ids) && ids.length <= maxIds;
    if (!isList || !ids.every((id) => typeof id === 'string' && isUuid(id))) {
      throw ScimError.invalidValue(`"ids" must be a list of up to ${maxIds} event ids.`);
    }
    return reply.header('cache-control', 'no-store').send({ words: await deliveries.confirmed(ids) });
  });
}
