import { listResponse } from '@ostiary/scim';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BaseOf, callerOf } from '../../access/http/context.ts';
import { sendScim } from '../../protocol/http/reply.ts';
import { endpointOf, present, type ResourceType } from '../../protocol/index.ts';
import type { Resources } from '../../resources/index.ts';
import type { Cursors } from '../domain/cursors.ts';
import { type ListPage, listResources } from '../domain/lists.ts';
import { type ListQuery, readSearchRequest } from '../domain/query.ts';
import type { TypedResource } from '../domain/root-search.ts';

export interface ListServices {
  resources: Resources;
  cursors: Cursors;
  baseOf: BaseOf;
}

/** POST /Users/.search, POST /Groups/.search → 200 with a ListResponse (RFC 7644 §3.4.3) */
export function searchResources(app: FastifyInstance, services: ListServices, type: ResourceType): void {
  app.post(
    `/${endpointOf(type)}/.search`,
    { config: { access: 'scim:read', resourceType: type } },
    async (request, reply) =>
      answerList(request, reply, services, type, readSearchRequest(request.body, callerOf(request))),
  );
}

/** Responds with one page of one resource type. */
export async function answerList(
  request: FastifyRequest,
  reply: FastifyReply,
  { resources, cursors, baseOf }: ListServices,
  type: ResourceType,
  query: ListQuery,
): Promise<FastifyReply> {
  const page = await listResources({ resources, cursors, caller: callerOf(request), type }, query);
  const items = page.items.map((resource) => ({ type, resource }));
  return sendList(request, reply, baseOf(request), { ...page, items }, query);
}

/** Sends a page as a ListResponse. */
export function sendList(
  request: FastifyRequest,
  reply: FastifyReply,
  base: string,
  { items, ...page }: ListPage<TypedResource>,
  query: ListQuery,
): FastifyReply {
  const resources = items.map(({ type, resource }) => present(base, type, resource, query.projection));
  return sendScim(request, reply, 200, listResponse({ ...page, resources }));
}
