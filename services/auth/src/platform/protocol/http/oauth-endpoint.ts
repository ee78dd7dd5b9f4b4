import { isUtf8 } from 'node:buffer';
import { isUnavailable, logFailure, statusOf, TooManyRequests } from '@ostiary/service';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import { invalidRequest, OAuthError, slowDown, tenantSuspended } from '../domain/errors.ts';
import { checkForm } from '../domain/form.ts';
import { type Parameters, parseParameters } from '../domain/parameters.ts';

export interface TenantStatusDependencies {
  tenants: { find(tenant: string): Promise<{ readonly status: 'active' | 'suspended' } | null> };
}

export interface TenantRoute {
  Params: { tenant: string };
}

/** Maximum size of a form in bytes. A longer body is still read to its end, so that the response arrives. */
const maxFormBytes = 65_536;
const maxBodyBytes = 4 * 1_048_576;

/** A decoded form body; `parameters` is undefined for a malformed or too long one. */
class Form {
  readonly parameters: Parameters | undefined;

  constructor(body: Buffer) {
    const readable = body.length <= maxFormBytes && isUtf8(body);
    this.parameters = readable ? parseParameters(body.toString('utf8')) : undefined;
  }
}

/**
 * Configures a Fastify scope for OAuth: form bodies only, errors as JSON of the protocol, no caching (RFC 6749 §5.1,
 * §5.2).
 */
export function serveOAuth(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (_request: FastifyRequest, body: Buffer, done: (error: null, form: Form) => void) =>
      done(null, new Form(body)),
  );
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (_request: FastifyRequest, _body: Buffer, done: (error: null, body: null) => void) => done(null, null),
  );
  app.addHook('onRequest', neverCached);
  app.setErrorHandler(answerError);
}

/** Responses with tokens or secrets must not be cached (RFC 6749 §5.1). */
export const neverCached: onRequestHookHandler = (_request, reply, next) => {
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
  next();
};

/**
 * Returns the parameters of a form request.
 * @throws OAuthError invalid_request for any other body
 */
export function formOf(request: FastifyRequest): Parameters {
  if (!(request.body instanceof Form)) {
    throw invalidRequest('The request body must be application/x-www-form-urlencoded.');
  }
  return checkForm(request.body.parameters);
}

/**
 * Returns the active tenant of the route.
 * @throws OAuthError with status 404 or 403; ServiceUnavailable if it cannot be read
 */
export async function tenantOf(
  deps: TenantStatusDependencies,
  request: FastifyRequest<TenantRoute>,
): Promise<string> {
  const { tenant } = request.params;
  const found = await deps.tenants.find(tenant);
  if (!found) throw new OAuthError('invalid_request', 'There is no such tenant.', { statusCode: 404 });
  if (found.status !== 'active') throw tenantSuspended();
  return tenant;
}

/** Responds with 405 to other methods. */
export function refuseOtherMethods(app: FastifyInstance, url: string, allowed: readonly string[]): void {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.includes(method));
  app.route({
    method: methods,
    url,
    exposeHeadRoute: false,
    config: { refuses: true },
    handler: async (_request, reply) =>
      reply
        .code(405)
        .header('allow', [...allowed, 'OPTIONS'].join(', '))
        .send(new OAuthError('invalid_request', `Use ${allowed.join(' or ')}.`).toJSON()),
  });
}

/** Sends the response of a failed request in the form of RFC 6749 §5.2. */
export function answerError(
  error: FastifyError | OAuthError | TooManyRequests,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof TooManyRequests) return answerError(slowDown(error.retryAfter * 1000), request, reply);
  if (error instanceof OAuthError) {
    const { tenant } = request.params as { tenant?: string };
    request.log.info(
      {
        event: 'oauth.request_rejected',
        requestId: request.id,
        tenant,
        error: error.code,
        reason: error.reason,
      },
      'OAuth request rejected',
    );
    if (error.challenge !== undefined) reply.header('www-authenticate', error.challenge);
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds);
    return reply.code(error.statusCode).send(error.toJSON());
  }
  const status = statusOf(error);
  // The size of a chunked body is known only here; a declared size is rejected earlier, with the same text.
  if (status === 413) return reply.code(413).send(invalidRequest('The request body is too large.').toJSON());
  if (status < 500) return reply.code(400).send(invalidRequest('The request is malformed.').toJSON());
  logFailure(request, error, status);
  if (isUnavailable(error)) {
    return reply
      .code(503)
      .header('retry-after', 1)
      .send({ error: 'temporarily_unavailable', error_description: 'Try again shortly.' });
  }
  return reply
    .code(500)
    .send({ error: 'server_error', error_description: `Something went wrong on our side (${request.id}).` });
}
