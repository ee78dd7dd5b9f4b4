import { listResponse, type Resource, ScimError } from '@ostiary/scim';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BaseOf, ResourceParams } from './context.ts';
import { sendScim } from './reply.ts';

/** @throws ScimError 403: discovery is read whole (RFC 7644 section 4) */
export function refuseFilter(request: FastifyRequest): void {
  if (Object.hasOwn(request.query as object, 'filter')) {
    throw ScimError.forbidden('Discovery endpoints take no filter.');
  }
}

/**
 * A collection of discovery documents: GET {path} lists them all, GET {path}/{id} gives one. Sorting and paging are
 * ignored (RFC 7644 section 4).
 */
export function discoverable(
  app: FastifyInstance,
  path: string,
  baseOf: BaseOf,
  documentsOf: (base: string) => readonly Resource[],
): void {
  app.get(path, { config: { access: 'authenticated' } }, async (request, reply) => {
    refuseFilter(request);
    const documents = documentsOf(baseOf(request));
    const list = listResponse({ resources: documents, totalResults: documents.length, startIndex: 1 });
    return sendScim(request, reply, 200, list);
  });

  app.get<{ Params: ResourceParams }>(
    `${path}/:id`,
    { config: { access: 'authenticated' } },
    async (request, reply) => {
      refuseFilter(request);
      // URNs are case-insensitive (RFC 8141 section 3), names of resource types are not worth a difference.
      const wanted = request.params.id.toLowerCase();
      const found = documentsOf(baseOf(request)).find(
        (document) => String(document.id).toLowerCase() === wanted,
      );
      if (!found) throw ScimError.notFound();
      return sendScim(request, reply, 200, found);
    },
  );
}
