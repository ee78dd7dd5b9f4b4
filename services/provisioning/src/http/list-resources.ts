import type { FastifyInstance } from 'fastify';
import { endpointOf, type ResourceType } from '../domain/ports.ts';
import { readListQuery } from '../domain/query.ts';
import type { Resources } from '../domain/resources.ts';
import { type BaseOf, callerOf } from './context.ts';
import { answerSearch } from './search-resources.ts';

/** GET /Users, GET /Groups → 200 with a ListResponse (RFC 7644 section 3.4.2) */
export function listResources(
  app: FastifyInstance,
  resources: Resources,
  baseOf: BaseOf,
  type: ResourceType,
): void {
  app.get(
    `/${endpointOf(type)}`,
    { config: { access: 'scim:read', resourceType: type } },
    async (request, reply) => {
      const caller = callerOf(request);
      const query = readListQuery(request.query as Record<string, unknown>, caller);
      return answerSearch(request, reply, { resources, caller, type, query, base: baseOf(request) });
    },
  );
}
