import type { FastifyInstance } from 'fastify';
import { type BaseOf, callerOf, type ResourceParams } from '../../access/http/context.ts';
import type { ProjectionQuery } from '../../protocol/http/reply.ts';
import { endpointOf, type ResourceType, readProjection, withMeta } from '../../protocol/index.ts';
import type { Resources } from '../domain/resources.ts';
import { sendIfChanged } from './conditional.ts';

/**
 * GET /Users/{id}, GET /Groups/{id} → 200; 304 for the version in If-None-Match, 412 for another than in If-Match
 * (RFC 7644 §§3.4.1, 3.14)
 */
export function readResource(
  app: FastifyInstance,
  resources: Resources,
  baseOf: BaseOf,
  type: ResourceType,
): void {
  app.get<{ Params: ResourceParams; Querystring: ProjectionQuery }>(
    `/${endpointOf(type)}/:id`,
    { config: { access: 'scim:read', resourceType: type } },
    async (request, reply) => {
      const projection = readProjection(request.query.attributes, request.query.excludedAttributes);
      const resource = await resources.read(callerOf(request), type, request.params.id, withMeta(projection));
      return sendIfChanged(request, reply, { base: baseOf(request), type, resource, projection });
    },
  );
}
