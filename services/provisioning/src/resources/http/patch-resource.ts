import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type BaseOf, callerOf, type ResourceParams } from '../../access/http/context.ts';
import type { Caller } from '../../access/index.ts';
import { describe, type ProjectionQuery, prefers, sendResource } from '../../protocol/http/reply.ts';
import {
  endpointOf,
  type Projection,
  type ResourceType,
  readProjection,
  withMeta,
} from '../../protocol/index.ts';
import type { Resources } from '../domain/resources.ts';
import { acceptableVersions } from './conditional.ts';

/** Enough for the headers of a 204, without loading the members of a group. */
const headersOnly: Projection = { attributes: ['id', 'meta'] };

/**
 * PATCH /Users/{id}, PATCH /Groups/{id} → 200 with the resource; 204 with ETag and Location for clients that prefer
 * it (RFC 7644 §3.5.2).
 */
export function patchResource(
  app: FastifyInstance,
  resources: Resources,
  baseOf: BaseOf,
  type: ResourceType,
): void {
  app.patch<{ Params: ResourceParams; Querystring: ProjectionQuery }>(
    `/${endpointOf(type)}/:id`,
    { config: { access: 'scim:write', resourceType: type } },
    async (request, reply) => {
      const caller = callerOf(request);
      const projection = readProjection(request.query.attributes, request.query.excludedAttributes);
      const brief = prefersNoContent(request, caller, type, projection);
      const resource = await resources.patch(caller, type, request.params.id, request.body, {
        ifMatch: await acceptableVersions(request, { resources, caller, type, id: request.params.id }),
        projection: brief ? headersOnly : withMeta(projection),
      });
      const base = baseOf(request);
      if (brief) return describe(reply, base, type, resource).code(204).send();
      return sendResource(request, reply, 200, { base, type, resource, projection });
    },
  );
}

/** A request with a projection gets the attributes: RFC 7644 §3.5.2 then requires 200. */
function prefersNoContent(
  request: FastifyRequest,
  caller: Caller,
  type: ResourceType,
  projection: Projection,
): boolean {
  if (projection.attributes || projection.excludedAttributes) return false;
  if (type === 'Group' && caller.quirks.groupPatchNoContent) return true;
  return prefers(request, 'minimal');
}
