import { SCIM_MEDIA_TYPE } from '@ostiary/scim';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { locationOf, present, versionOf } from '../domain/presentation.ts';
import type { Projection } from '../domain/projection.ts';
import type { ResourceType, ScimResource } from '../domain/resource.ts';

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

/** Sends one resource with its ETag and address (RFC 7644 §§3.3, 3.4.1, 3.14). */
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

const json = 'application/json';

/**
 * Returns the media type: application/scim+json by default (RFC 7644 §3.8), application/json for clients that prefer
 * it (RFC 9110 §12.5.1). A client that accepts neither gets the default, because a rejected response would still have
 * had an effect.
 */
export function mediaTypeFor(accept: string | undefined): string {
  const chosen =
    accept !== undefined && qualityOf(accept, json) > qualityOf(accept, SCIM_MEDIA_TYPE)
      ? json
      : SCIM_MEDIA_TYPE;
  return `${chosen}; charset=utf-8`;
}

/** Returns the weight of a media type, 0 to 1: that of the most specific range that covers it. */
function qualityOf(accept: string, type: string): number {
  let best = { exactness: -1, quality: 0 };
  for (const element of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = element.split(';').map((part) => part.trim());
    const exactness = [`*/*`, 'application/*', type].indexOf(range);
    if (exactness <= best.exactness) continue;
    const weight = parameters
      .map((parameter) => /^q=([01](?:\.\d{0,3})?)$/.exec(parameter)?.[1])
      .find(Boolean);
    best = { exactness, quality: weight === undefined ? 1 : Math.min(1, Number(weight)) };
  }
  return best.quality;
}

/** Reports whether the client prefers this kind of response (RFC 7240 §4.2). */
export const prefers = (request: FastifyRequest, answer: 'minimal' | 'representation'): boolean =>
  new RegExp(`(?:^|,)\\s*return\\s*=\\s*"?${answer}\\b`, 'i').test(String(request.headers.prefer ?? ''));

/** The query parameters of every endpoint that returns a resource. */
export interface ProjectionQuery {
  attributes?: unknown;
  excludedAttributes?: unknown;
}
