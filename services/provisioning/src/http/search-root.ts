import type { FastifyInstance } from 'fastify';
import { readSearchRequest } from '../domain/query.ts';
import { searchAll } from '../domain/root-search.ts';
import { callerOf } from './context.ts';
import { type ListServices, sendList } from './search-resources.ts';

/** POST /.search → 200 with users and groups in one ListResponse (RFC 7644 section 3.4.3) */
export function searchRoot(app: FastifyInstance, { resources, cursors, baseOf }: ListServices): void {
  app.post('/.search', { config: { access: 'scim:read' } }, async (request, reply) => {
    const caller = callerOf(request);
    const query = readSearchRequest(request.body, caller);
    const page = await searchAll({ resources, cursors, caller }, query);
    return sendList(request, reply, baseOf(request), page, query);
  });
}
