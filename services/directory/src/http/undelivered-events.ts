import { requireService, type TokenVerifier } from '@ostiary/access';
import { ScimError } from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { Directory } from '../domain/directory.ts';

/**
 * GET /internal/v1/events/undelivered?after={event id} → {events, more}: what closes doors and the authorization server hasn't
 * confirmed yet. After a break it asks for them before it lets anybody in again; nobody else may.
 */
export function undeliveredEvents(app: FastifyInstance, directory: Directory, verifier: TokenVerifier): void {
  const onRequest = requireService(verifier, 'directory', ['auth']);
  app.get('/internal/v1/events/undelivered', { onRequest }, async (request, reply) => {
    const { after } = request.query as { after?: unknown };
    if (after !== undefined && !(typeof after === 'string' && isUuid(after))) {
      throw ScimError.invalidValue('"after" must be the id of an event.');
    }
    return reply.header('cache-control', 'no-store').send(await directory.undelivered('auth', after));
  });
}
