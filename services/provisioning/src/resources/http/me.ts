import { etagMatches, ScimError } from '@ostiary/scim';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type BaseOf, callerOf, type TenantParams } from '../../access/http/context.ts';
import { type ProjectionQuery, sendResource } from '../../protocol/http/reply.ts';
import { type Projection, readProjection, versionOf, withMeta } from '../../protocol/index.ts';
import type { Resources } from '../domain/resources.ts';
import { replaceOwn, requireOwn } from '../domain/self-service.ts';
import { acceptableVersions, sendIfChanged } from './conditional.ts';

const changing = ['self:profile', 'scim:write'] as const;

interface MeRoute {
  Params: TenantParams;
  Querystring: ProjectionQuery;
}

/**
 * /Me, the User of the access token (RFC 7644 §3.11); Location is the User's own address.
 *
 * - GET → 200, without any scope
 * - PUT, PATCH → 200 for attributes that users may change themselves, with self:profile or scim:write
 * - DELETE → 403
 * - POST → 501
 */
export function me(app: FastifyInstance, resources: Resources, baseOf: BaseOf): void {
  app.get<MeRoute>(
    '/Me',
    { config: { access: 'authenticated', resourceType: 'User' } },
    async (request, reply) => {
      const { caller, id } = selfOf(request);
      const projection = projectionOf(request);
      const resource = await resources.read(caller, 'User', id, withMeta(projection));
      return sendIfChanged(request, reply, { base: baseOf(request), type: 'User', resource, projection });
    },
  );

  app.put<MeRoute>('/Me', { config: { access: changing, resourceType: 'User' } }, async (request, reply) => {
    const { caller, id } = selfOf(request);
    const projection = projectionOf(request);
    const wanted = await acceptableVersions(request, { resources, caller, type: 'User', id });
    const current = await resources.read(caller, 'User', id, {});
    const version = versionOf(current);
    if (wanted && !etagMatches(wanted, version)) throw ScimError.preconditionFailed();
    const resource = await resources.patch(caller, 'User', id, replaceOwn(current, request.body), {
      // Fails after a concurrent change of the state that was read.
      ifMatch: version === undefined ? wanted : [version],
      projection: withMeta(projection),
    });
    return sendResource(request, reply, 200, { base: baseOf(request), type: 'User', resource, projection });
  });

  app.patch<MeRoute>(
    '/Me',
    { config: { access: changing, resourceType: 'User' } },
    async (request, reply) => {
      const { caller, id } = selfOf(request);
      const projection = projectionOf(request);
      requireOwn(request.body);
      const resource = await resources.patch(caller, 'User', id, request.body, {
        ifMatch: await acceptableVersions(request, { resources, caller, type: 'User', id }),
        projection: withMeta(projection),
      });
      return sendResource(request, reply, 200, { base: baseOf(request), type: 'User', resource, projection });
    },
  );

  app.delete<MeRoute>(
    '/Me',
    { config: { access: 'authenticated', resourceType: 'User' } },
    async (request) => {
      selfOf(request);
      throw ScimError.forbidden('Users cannot delete themselves.');
    },
  );

  app.post<MeRoute>('/Me', { config: { access: 'authenticated', resourceType: 'User' } }, async () => {
    throw ScimError.notImplemented('Users cannot create themselves.');
  });
}

const projectionOf = (request: FastifyRequest<MeRoute>): Projection =>
  readProjection(request.query.attributes, request.query.excludedAttributes);

function selfOf(request: FastifyRequest) {
  const caller = callerOf(request);
  if (caller.userId === undefined) throw ScimError.notFound('The access token does not belong to a User.');
  return { caller, id: caller.userId };
}
