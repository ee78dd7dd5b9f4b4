import { etagMatches, parseIfMatch, ScimError } from '@ostiary/scim';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/index.ts';
import { sendResource, describe as withHeaders } from '../../protocol/http/reply.ts';
import { type Projection, type ResourceType, type ScimResource, versionOf } from '../../protocol/index.ts';
import type { Resources } from '../domain/resources.ts';

/**
 * Sends a resource under the request's conditions: 412 when `If-Match` names another version, 304 when
 * `If-None-Match` names this one (RFC 9110 §13.2.2, RFC 7644 §3.14).
 */
export function sendIfChanged(
  request: FastifyRequest,
  reply: FastifyReply,
  shown: { base: string; type: ResourceType; resource: ScimResource; projection: Projection },
): FastifyReply {
  const version = versionOf(shown.resource);
  const wanted = parseIfMatch(request.headers['if-match']);
  if (wanted && !etagMatches(wanted, version)) throw ScimError.preconditionFailed();
  if (etagMatches(parseIfMatch(request.headers['if-none-match']) ?? [], version)) {
    return withHeaders(reply, shown.base, shown.type, shown.resource).code(304).send();
  }
  return sendResource(request, reply, 200, shown);
}

/**
 * Returns the versions to which a change may be applied; undefined for any. `If-None-Match` becomes the current
 * version, so that the change fails after a concurrent one.
 * @throws ScimError 412 when `If-None-Match` names the current version, 404
 */
export async function acceptableVersions(
  request: FastifyRequest,
  target: { resources: Resources; caller: Caller; type: ResourceType; id: string },
): Promise<readonly string[] | undefined> {
  const wanted = parseIfMatch(request.headers['if-match']);
  const unwanted = parseIfMatch(request.headers['if-none-match']);
  if (!unwanted) return wanted;
  const { resources, caller, type, id } = target;
  const version = versionOf(await resources.read(caller, type, id, { attributes: ['id', 'meta'] }));
  if (etagMatches(unwanted, version) || (wanted && !etagMatches(wanted, version))) {
    throw ScimError.preconditionFailed();
  }
  return version === undefined ? wanted : [version];
}
