import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../access/http/context.ts';
import { type ListQuery, readListQuery, readSearchRequest } from '../domain/query.ts';
import { searchAll } from '../domain/root-search.ts';
import { type ListServices, sendList } from './search-resources.ts';

/**
 * Users and groups in one ListResponse:
 *
 * - GET on the root → 200 (RFC 7644 §3.4.2.1)
 * - POST /.search → 200 (RFC 7644 §3.4.3)
 */
export function searchRoot(app: FastifyInstance, { resources, cursors, baseOf }: ListServices): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply, query: ListQuery) => {
    const page = await searchAll({ resources, cursors, caller: callerOf(request) }, query);
    return sendList(request, reply, baseOf(request), page, query);
  };
  app.get('/', { prefixTrailingSlash: 'no-slash', config: { access: 'scim:read' } }, async (request, reply) =>
    answer(request, reply, readListQuery(request.query as Record<string, unknown>, callerOf(request))),
  );
  app.post('/.search', { config: { access: 'scim:read' } }, async (request, reply) =>
    answer(request, reply, readSearchRequest(request.body, callerOf(request))),
  );
}
