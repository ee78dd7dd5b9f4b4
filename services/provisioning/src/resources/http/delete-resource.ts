import type { FastifyInstance } from 'fastify';
import { callerOf, type ResourceParams } from '../../access/http/context.ts';
import { endpointOf, type ResourceType } from '../../protocol/index.ts';
import type { Resources } from '../domain/resources.ts';
import { acceptableVersions } from './conditional.ts';

/** DELETE /Users/{id}, DELETE /Groups/{id} → 204 (RFC 7644 §3.6) */
export function deleteResource(app: FastifyInstance, resources: Resources, type: ResourceType): void {
  app.delete<{ Params: ResourceParams }>(
    `/${endpointOf(type)}/:id`,
    { config: { access: 'scim:write', resourceType: type } },
    async (request, reply) => {
      const caller = callerOf(request);
      const { id } = request.params;
      const ifMatch = await acceptableVersions(request, { resources, caller, type, id });
      await resources.remove(caller, type, id, { ifMatch });
      return reply.code(204).send();
    },
  );
}
