import type { FastifyInstance } from 'fastify';
import { type BaseOf, callerOf, type ResourceParams } from '../../access/http/context.ts';
import { type ProjectionQuery, sendResource } from '../../protocol/http/reply.ts';
import { endpointOf, type ResourceType, readProjection, withMeta } from '../../protocol/index.ts';
import type { Resources } from '../domain/resources.ts';
import { acceptableVersions } from './conditional.ts';

/** PUT /Users/{id}, PUT /Groups/{id} → 200 (RFC 7644 §3.5.1) */
export function replaceResource(
  app: FastifyInstance,
  resources: Resources,
  baseOf: BaseOf,
  type: ResourceType,
): void {
  app.put<{ Params: ResourceParams; Querystring: ProjectionQuery }>(
    `/${endpointOf(type)}/:id`,
    { config: { access: 'scim:write', resourceType: type } },
    async (request, reply) => {
      const caller = callerOf(request);
      const projection = readProjection(request.query.attributes, request.query.excludedAttributes);
      const resource = await resources.replace(caller, type, request.params.id, request.body, {
        ifMatch: await acceptableVersions(request, { resources, caller, type, id: request.params.id }),
        projection: withMeta(projection),
      });
      return sendResource(request, reply, 200, { base: baseOf(request), type, resource, projection });
    },
  );
}
