import { etagMatches, parseIfMatch } from '@ostiary/scim';
import type { FastifyRequest } from 'fastify';

/** Whether `If-None-Match` names the version, so that the client has it already (RFC 9110 section 13.1.2). */
export const notModified = (request: FastifyRequest, version: string | undefined): boolean =>
  etagMatches(parseIfMatch(request.headers['if-none-match']) ?? [], version);
