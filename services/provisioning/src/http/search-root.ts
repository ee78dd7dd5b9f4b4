import { listResponse } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import { present } from '../domain/presentation.ts';
import { withMeta } from '../domain/projection.ts';
import { readSearchRequest } from '../domain/query.ts';
import type { Resources } from '../domain/resources.ts';
import { searchAll } from '../domain/root-search.ts';
import { type BaseOf, callerOf } from './context.ts';
import { sendScim } from './reply.ts';
import { unprojected } from './search-resources.ts';

/** POST /.search → 200 with users and groups in one ListResponse (RFC 7644 section 3.4.3) */
export function searchRoot(app: FastifyInstance, resources: Resources, baseOf: BaseOf): void {
  app.post('/.search', { config: { access: 'scim:read' } }, async (request, reply) => {
    const caller = callerOf(request);
    const query = readSearchRequest(request.body, caller);
    const found = await searchAll(resources, caller, { ...unprojected(query), ...withMeta(query) });
    const base = baseOf(request);
    return sendScim(
      request,
      reply,
      200,
      listResponse({
        totalResults: found.totalResults,
        startIndex: found.startIndex,
        resources: found.Resources.map(({ type, resource }) => present(base, type, resource, query)),
      }),
    );
  });
}
