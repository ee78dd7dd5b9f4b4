import { SCIM_MEDIA_TYPE } from '@ostiary/scim';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResourceType, ScimResource } from '../domain/ports.ts';
import { locationOf, present, versionOf } from '../domain/presentation.ts';
import type { Projection } from '../domain/projection.ts';

/** Sends a SCIM body. */
export function sendScim(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: unknown,
): FastifyReply {
  return reply
    .code(status)
    .header('content-type', mediaTypeFor(request.headers.accept))
    .header('cache-control', 'no-store')
    .send(JSON.stringify(body));
}

/** Sends one resource with its ETag and address (RFC 7644 sections 3.3, 3.4.1, 3.14). */
export function sendResource(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  shown: { base: string; type: ResourceType; resource: ScimResource; projection: Projection },
): FastifyReply {
  describe(reply, shown.base, shown.type, shown.resource);
  return sendScim(request, reply, status, present(shown.base, shown.type, shown.resource, shown.projection));
}

/** Sets ETag and Location. */
export function describe(
  reply: FastifyReply,
  base: string,
  type: ResourceType,
  resource: ScimResource,
): FastifyReply {
  const version = versionOf(resource);
  if (version !== undefined) reply.header('etag', version);
  return reply.header('location', locationOf(base, type, String(resource.id)));
}

/**
 * The default is application/scim+json (RFC 7644 section 3.8); application/json only for those who name it and accept
 * nothing that covers the default.
 */
export function mediaTypeFor(accept: string | undefined): string {
  const scim = `${SCIM_MEDIA_TYPE}; charset=utf-8`;
  if (accept === undefined) return scim;
  const accepted = accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';', 1)[0]?.trim());
  const coversScim = accepted.some(
    (range) => range === SCIM_MEDIA_TYPE || range === '*/*' || range === 'application/*',
  );
  return !coversScim && accepted.includes('application/json') ? 'application/json; charset=utf-8' : scim;
}

/** The query parameters that every endpoint with a resource in its answer takes. */
export interface ProjectionQuery {
  attributes?: unknown;
  excludedAttributes?: unknown;
}
