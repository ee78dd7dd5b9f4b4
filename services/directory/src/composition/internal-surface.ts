import { requireService, type TokenVerifier } from '@ostiary/access';
import { parseScimJson } from '@ostiary/scim';
import type { FastifyPluginAsync } from 'fastify';
import { runWithCaller } from '../audit/domain/audit-context.ts';
import { answerError } from '../errors/scim-errors.http.ts';
import { undeliveredEvents } from '../events/http/undelivered-events.ts';
import type { Takeover } from '../recovery/domain/takeover.ts';
import { clientIdOf } from '../resources/http/body.ts';
import { resourceRoutes } from '../resources/http/resource-routes.ts';
import { groupRoles } from '../roles/group-roles.http.ts';
import { readSchemas } from '../schemas/read-schemas.http.ts';
import { createTenant } from '../tenants/http/create-tenant.ts';
import { readTenants } from '../tenants/http/read-tenants.ts';
import { withdrawVouching } from '../users/vouching.http.ts';
import type { Directory } from './directory.ts';

export interface InternalOptions {
  directory: Directory;
  takeover: Takeover;
  verifier: TokenVerifier;
}

/** Bytes, enough for the replacement of a group with 100,000 members. Provisioning limits the requests of clients. */
const bodyLimit = 16 * 1024 * 1024;

/**
 * The REST surface for Ostiary's other services. Resources are SCIM JSON, errors SCIM Error messages (RFC 7644
 * §3.12).
 */
export const internalSurface: FastifyPluginAsync<InternalOptions> = async (
  app,
  { directory, takeover, verifier },
) => {
  // Before the body is read: an unauthenticated caller cannot send a large body.
  app.addHook('onRequest', requireService(verifier, 'directory'));

  app.addHook('onRoute', (route) => {
    route.bodyLimit = bodyLimit;
  });

  // The token belongs to the calling service, so the body names the client that called that service.
  app.addHook('preHandler', (request, _reply, next) => {
    runWithCaller({ clientId: clientIdOf(request.body) }, next);
  });

  // Stricter than JSON.parse: no duplicate members, limited nesting, no names that reach a prototype.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    ['application/json', 'application/scim+json'],
    { parseAs: 'string' },
    (_request, text, done) => {
      try {
        done(null, parseScimJson(text as string));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.setErrorHandler(answerError);

  createTenant(app, directory.tenants, verifier);
  readTenants(app, directory.tenants);
  readSchemas(app, directory);
  groupRoles(app, directory, verifier);
  undeliveredEvents(app, { deliveries: directory.deliveries, takeover, verifier });
  withdrawVouching(app, directory, verifier);
  resourceRoutes(app, directory);
};
