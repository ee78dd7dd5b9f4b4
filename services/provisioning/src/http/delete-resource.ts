import { parseIfMatch } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import { endpointOf, type ResourceType } from '../domain/ports.ts';
import type { Resources } from '../domain/resources.ts';
import { callerOf, type ResourceParams } from './context.ts';

/** DELETE /Users/{id}, DELETE /Groups/{id} → 204 (RFC 7644 section 3.6) */
export function deleteResource(app: FastifyInstance, resources: Resources, type: ResourceType): void {
  app.delete<{ Params: ResourceParams }>(
    `/${endpointOf(type)}/:id`,
    { config: { access: 'scim:write', resourceType: type } },
    async (request, reply) => {
      await resources.remove(
        callerOf(request),
        type,
        request.params.id,
        parseIfMatch(request.headers['if-match']),
      );
      return reply.code(204).send();
    },
  );
}
