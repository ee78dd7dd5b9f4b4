import { listResponse } from '@ostiary/scim';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../domain/caller.ts';
import { endpointOf, type Query, type ResourceType } from '../domain/ports.ts';
import { present } from '../domain/presentation.ts';
import { withMeta } from '../domain/projection.ts';
import { readSearchRequest } from '../domain/query.ts';
import type { Resources } from '../domain/resources.ts';
import { type BaseOf, callerOf } from './context.ts';
import { sendScim } from './reply.ts';

/** POST /Users/.search, POST /Groups/.search → 200 with a ListResponse (RFC 7644 section 3.4.3) */
export function searchResources(
  app: FastifyInstance,
  resources: Resources,
  baseOf: BaseOf,
  type: ResourceType,
): void {
  app.post(
    `/${endpointOf(type)}/.search`,
    { config: { access: 'scim:read', resourceType: type } },
    async (request, reply) => {
      const caller = callerOf(request);
      const query = readSearchRequest(request.body, caller);
      return answerSearch(request, reply, { resources, caller, type, query, base: baseOf(request) });
    },
  );
}

/** One page of one resource type. */
export async function answerSearch(
  request: FastifyRequest,
  reply: FastifyReply,
  search: { resources: Resources; caller: Caller; type: ResourceType; query: Query; base: string },
): Promise<FastifyReply> {
  const { resources, caller, type, query, base } = search;
  const page = await resources.search(caller, type, { ...unprojected(query), ...withMeta(query) });
  return sendScim(
    request,
    reply,
    200,
    listResponse({
      totalResults: page.totalResults,
      startIndex: query.startIndex,
      resources: page.Resources.map((resource) => present(base, type, resource, query)),
    }),
  );
}

/** The query without its projection. */
export function unprojected({ attributes: _, excludedAttributes: __, ...query }: Query): Query {
  return query;
}
