import { AccessError } from '@ostiary/access';
import { ScimError } from '@ostiary/scim';
import { isUnavailable, logFailure, statusOf } from '@ostiary/service';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

/** Responds with a SCIM Error message. The cause of an internal failure is logged and not returned. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof AccessError) return reply.code(error.statusCode).send({ error: error.error });
  const failure = error instanceof ScimError ? error : asScimError(error, request);
  if (isUnavailable(error)) reply.header('retry-after', 1);
  return reply
    .code(failure.status)
    .header('content-type', 'application/scim+json')
    .send(JSON.stringify(failure));
}

function asScimError(error: FastifyError, request: FastifyRequest): ScimError {
  const status = statusOf(error);
  if (status < 500) return new ScimError(status, error.message);
  logFailure(request, error, status);
  return status === 503 ? ScimError.unavailable() : ScimError.internal();
}
