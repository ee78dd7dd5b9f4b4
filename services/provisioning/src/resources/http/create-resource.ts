import type { FastifyInstance } from 'fastify';
import { type BaseOf, callerOf, type TenantParams } from '../../access/http/context.ts';
import { type ProjectionQuery, sendResource } from '../../protocol/http/reply.ts';
import { endpointOf, type ResourceType, readProjection, withMeta } from '../../protocol/index.ts';
import type { Resources } from '../domain/resources.ts';

/** POST /Users, POST /Groups → 201 (RFC 7644 §3.3) */
export function createResource(
  app: FastifyInstance,
  resources: Resources,
  baseOf: BaseOf,
  type: ResourceType,
): void {
  app.post<{ Params: TenantParams; Querystring: ProjectionQuery }>(
    `/${endpointOf(type)}`,
    { config: { access: 'scim:write', resourceType: type } },
    async (request, reply) => {
      const projection = readProjection(request.query.attributes, request.query.excludedAttributes);
      const resource = await resources.create(callerOf(request), type, request.body, withMeta(projection));
      request.createdId = String(resource.id);
      return sendResource(request, reply, 201, { base: baseOf(request), type, resource, projection });
    },
  );
}
