import { AccessError, issuerOf } from '@ostiary/access';
import { ScimError } from '@ostiary/scim';
import { logFailure, statusOf } from '@ostiary/service';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { sendScim } from '../../protocol/http/reply.ts';
import type { Authenticator } from './authentication.ts';
import { tenantOf } from './context.ts';

/** Responds to every failure with a SCIM Error message (RFC 7644 §3.12). */
export const answerError =
  (publicOrigin: string, authenticator: Authenticator) =>
  (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const answer = scimErrorOf(error);
    if (error instanceof AccessError) {
      const tenant = tenantOf(request);
      const challenge = authenticator.challenge(request, tenant);
      reply.header('www-authenticate', error.wwwAuthenticate(issuerOf(publicOrigin, tenant), challenge));
    }
    const { retryAfter } = error as { retryAfter?: unknown };
    if (typeof retryAfter === 'number') reply.header('retry-after', retryAfter);
    else if (answer.status === 503) reply.header('retry-after', 1);
    if (answer.status >= 500 && answer.status !== 501) logFailure(request, error, answer.status);
    request.failure = { scimType: answer.scimType, detail: answer.detail };
    return sendScim(request, reply, answer.status, answer);
  };

/** Responds with a SCIM 404 to an address below SCIM that cannot be parsed. */
export function answerMalformedUrl(request: FastifyRequest, reply: FastifyReply): boolean {
  if (!/^\/t\/[^/]+\/scim\//.test(request.url)) return false;
  sendScim(request, reply, 404, ScimError.notFound());
  return true;
}

/** Returns the client's version of an error, without internal details. */
function scimErrorOf(error: FastifyError | Error): ScimError {
  if (error instanceof ScimError) return error;
  if (error instanceof AccessError) return new ScimError(error.statusCode, error.description);
  const status = statusOf(error);
  if (status === 413) return ScimError.payloadTooLarge('The request body is too large.');
  if (status === 415) return ScimError.unsupportedMediaType();
  if (status === 429) return ScimError.tooManyRequests();
  if (status === 503) return ScimError.unavailable();
  if (status >= 500) return ScimError.internal();
  return ScimError.invalidSyntax('The request is malformed.');
}
