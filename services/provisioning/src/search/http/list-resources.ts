import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../access/http/context.ts';
import { endpointOf, type ResourceType } from '../../protocol/index.ts';
import { readListQuery } from '../domain/query.ts';
import { answerList, type ListServices } from './search-resources.ts';

/** GET /Users, GET /Groups → 200 with a ListResponse (RFC 7644 §3.4.2) */
export function listResources(app: FastifyInstance, services: ListServices, type: ResourceType): void {
  app.get(
    `/${endpointOf(type)}`,
    { config: { access: 'scim:read', resourceType: type } },
    async (request, reply) => {
      const query = readListQuery(request.query as Record<string, unknown>, callerOf(request));
      return answerList(request, reply, services, type, query);
    },
  );
}
