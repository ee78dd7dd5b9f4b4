import { listResponse, type Resource, type SchemaRegistry, ScimError } from '@ostiary/scim';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type BaseOf, type ResourceParams, tenantOf } from '../../access/http/context.ts';
import { sendScim } from '../../protocol/http/reply.ts';

/** Rejects filters, which discovery endpoints do not support (RFC 7644 §4). @throws ScimError 403 */
export function refuseFilter(request: FastifyRequest): void {
  if (Object.hasOwn(request.query as object, 'filter')) {
    throw ScimError.forbidden('Discovery endpoints take no filter.');
  }
}

/**
 * Returns the schemas of a tenant. They are read from the directory for each request: a new definition is visible
 * immediately, in every process, and requests are rare.
 */
export type RegistryOf = (tenant: string) => Promise<SchemaRegistry>;

/**
 * Registers a collection of discovery documents: GET {path} lists them all, GET {path}/{id} returns one. Sorting and
 * paging are ignored (RFC 7644 §4).
 */
export function discoverable(
  app: FastifyInstance,
  path: string,
  baseOf: BaseOf,
  documentsOf: (base: string, tenant: string) => Promise<readonly Resource[]>,
): void {
  app.get(path, { config: { access: 'authenticated' } }, async (request, reply) => {
    refuseFilter(request);
    const documents = await documentsOf(baseOf(request), tenantOf(request));
    const list = listResponse({ resources: documents, totalResults: documents.length, startIndex: 1 });
    return sendScim(request, reply, 200, list);
  });

  app.get<{ Params: ResourceParams }>(
    `${path}/:id`,
    { config: { access: 'authenticated' } },
    async (request, reply) => {
      refuseFilter(request);
      // URNs are case-insensitive (RFC 8141 §3); for names of resource types the same rule is simpler.
      const wanted = request.params.id.toLowerCase();
      const documents = await documentsOf(baseOf(request), tenantOf(request));
      const found = documents.find((document) => String(document.id).toLowerCase() === wanted);
      if (!found) throw ScimError.notFound();
      return sendScim(request, reply, 200, found);
    },
  );
}
