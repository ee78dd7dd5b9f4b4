import {
  AccessError,
  challengeOptions,
  insufficientScope,
  issuerOf,
  missingToken,
  type Principal,
  presentedToken,
  requireScope,
} from '@ostiary/access';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidRequest, NoSuchOwner, OAuthError } from '../../platform/index.ts';
import { parseJson } from '../../platform/protocol/http/json-body.ts';
import {
  answerError,
  neverCached,
  type TenantRoute,
  tenantOf,
} from '../../platform/protocol/http/oauth-endpoint.ts';
import type { Stream } from '../domain/stream-configuration.ts';
import type { TransmitterDependencies } from './dependencies.ts';

/** A receiver: an OAuth client with an access token of its own (client credentials). */
export interface Receiver {
  tenant: string;
  clientId: string;
  issuer: string;
  /** Principal of the token. */
  principal: Principal;
}

/** Maximum size of a request body in bytes. */
const maxBodyBytes = 65_536;

/**
 * Configures a Fastify scope for the stream management interface (SSF 1.0 §8): JSON bodies with any Content-Type,
 * because the examples of the specification have none; no caching; errors of a protected resource (RFC 6750 §3).
 */
export function serveSsf(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxBodyBytes },
    (_request: FastifyRequest, body: Buffer, done: (error: null, value: unknown) => void) =>
      done(null, parseJson(body)),
  );
  app.addHook('onRequest', neverCached);
  app.setErrorHandler((error: FastifyError, request, reply) =>
    error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
      ? reply.code(413).send(invalidRequest('The request body is too large.').toJSON())
      : answerError(error, request, reply),
  );
}

/**
 * Returns the members of a JSON request body.
 * @throws OAuthError invalid_request
 */
export function bodyOf(request: FastifyRequest): Record<string, unknown> {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest('The request body must be a JSON object.');
  }
  return body as Record<string, unknown>;
}

/** Wraps a handler for receivers with one of the scopes. Other requests get the error of RFC 6750 §3.1. */
export function forReceivers<Route extends TenantRoute>(
  deps: TransmitterDependencies,
  scopes: readonly string[],
  handle: (receiver: Receiver, request: FastifyRequest<Route>, reply: FastifyReply) => Promise<FastifyReply>,
) {
  return async (request: FastifyRequest<Route>, reply: FastifyReply): Promise<FastifyReply> => {
    const tenant = await tenantOf(deps, request as FastifyRequest<TenantRoute>);
    const issuer = deps.issuer(tenant);
    try {
      return await handle(await receiverOf(deps, { tenant, issuer }, scopes, request, reply), request, reply);
    } catch (error) {
      if (error instanceof NoSuchOwner) {
        throw new OAuthError('access_denied', 'A user who knows a secret of the client was offboarded.', {
          statusCode: 403,
        });
      }
      if (!(error instanceof AccessError)) throw error;
      return reply
        .code(error.statusCode)
        .header('www-authenticate', error.wwwAuthenticate(issuer, challengeOptions(request, deps.verifier)))
        .send({ error: error.error ?? 'unauthorized', error_description: error.description });
    }
  };
}

/** @throws AccessError */
async function receiverOf(
  deps: TransmitterDependencies,
  { tenant, issuer }: { tenant: string; issuer: string },
  scopes: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Receiver> {
  const presented = presentedToken(request, reply);
  if (presented === undefined) throw missingToken();
  const principal = await deps.verifier.verify(presented.token, {
    audience: (of) => issuerOf(deps.env.PUBLIC_ORIGIN, of),
    possession: presented,
    tenant,
  });
  requireScope(principal, scopes);
  // A stream belongs to a client. Streams of users and service accounts would lose their owner at its offboarding.
  if (principal.kind !== 'client' || principal.apiToken !== undefined) throw insufficientScope(scopes);
  // The security log records the actor.
  request.principal = principal;
  return { tenant, clientId: principal.clientId, issuer, principal };
}

/**
 * Returns the stream.
 * @throws OAuthError with status 404, also for a stream of another client
 */
export function existing(stream: Stream | undefined): Stream {
  if (!stream) throw new OAuthError('invalid_request', 'There is no such stream.', { statusCode: 404 });
  return stream;
}
