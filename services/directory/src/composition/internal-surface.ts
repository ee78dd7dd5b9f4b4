import { AccessError, requireService, type TokenVerifier } from '@ostiary/access';
import { parseScimJson, ScimError } from '@ostiary/scim';
import { isUnavailable, logFailure, statusOf } from '@ostiary/service';
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { runAskedBy } from '../audit/domain/audit-context.ts';
import { undeliveredEvents } from '../events/http/undelivered-events.ts';
import { clientIdOf } from '../resources/http/body.ts';
import { createResource } from '../resources/http/create-resource.ts';
import { deleteResource } from '../resources/http/delete-resource.ts';
import { patchResource } from '../resources/http/patch-resource.ts';
import { readResource } from '../resources/http/read-resource.ts';
import { replaceResource } from '../resources/http/replace-resource.ts';
import { searchResources } from '../resources/http/search-resources.ts';
import { groupRoles } from '../roles/http/group-roles.ts';
import { readSchemas } from '../schemas/http/read-schemas.ts';
import { createTenant } from '../tenants/http/create-tenant.ts';
import { readTenants } from '../tenants/http/read-tenants.ts';
import { withdrawVouching } from '../users/http/vouching.ts';
import type { Directory } from './directory.ts';

export interface InternalOptions {
  directory: Directory;
  verifier: TokenVerifier;
}

/** Bytes: room for a group's replacement by a hundred thousand members. What clients may send, provisioning decides. */
const bodyLimit = 16 * 1024 * 1024;

/**
 * The REST surface for Ostiary's other services. Resources travel as SCIM JSON, errors as SCIM Error messages
 * (RFC 7644 section 3.12).
 */
export const internalSurface: FastifyPluginAsync<InternalOptions> = async (app, { directory, verifier }) => {
  // Before the body is read: a caller without a token doesn't get to send a megabyte first.
  app.addHook('onRequest', requireService(verifier, 'directory'));

  app.addHook('onRoute', (route) => {
    route.bodyLimit = bodyLimit;
  });

  // The token is the other service's: whose app asked it, it says itself.
  app.addHook('preHandler', (request, _reply, next) => {
    runAskedBy({ clientId: clientIdOf(request.body) }, next);
  });

  // Stricter than JSON.parse: no duplicate members, no bottomless nesting, no names that reach a prototype.
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

  createTenant(app, directory, verifier);
  readTenants(app, directory);
  readSchemas(app, directory);
  groupRoles(app, directory, verifier);
  undeliveredEvents(app, directory, verifier);
  withdrawVouching(app, directory, verifier);
  for (const type of ['User', 'Group'] as const) {
    createResource(app, directory, type);
    readResource(app, directory, type);
    searchResources(app, directory, type);
    replaceResource(app, directory, type);
    patchResource(app, directory, type);
    deleteResource(app, directory, type);
  }
};

/** Answers with a SCIM Error message; what failed inside is logged and not told. */
function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof AccessError) return reply.code(error.statusCode).send({ error: error.error });
  const failure = error instanceof ScimError ? error : asScimError(error, request);
  if (isUnavailable(error)) reply.header('retry-after', 1);
  return reply
    .code(failure.status)
    .header('content-type', 'application/scim+json')
    .send(JSON.stringify(failure));
}

function asScimError(error: FastifyError, request: FastifyRequest): ScimError {
  const status = statusOf(error);
  if (status < 500) return new ScimError(status, error.message);
  logFailure(request, error, status);
  return status === 503 ? ScimError.unavailable() : ScimError.internal();
}
