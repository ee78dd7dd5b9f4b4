import type { IncomingMessage } from 'node:http';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { ServiceKit } from '../kit/kit.ts';
import { runInRequest } from '../tracing/request-scope.ts';
import { tracingEnabled } from '../tracing/tracing.ts';
import { ambiguityAnswer, ambiguityOf } from './ambiguity.ts';
import { trustOf } from './client-address.ts';
import { continuedBy } from './exchange.ts';
import { addHealthRoutes } from './health-routes.ts';
import { IdleConnections } from './idle-connections.ts';
import { keepAliveMs } from './keep-alive.ts';
import { closeLingering } from './lingering-close.ts';
import { cameThroughProxy, type IsInside, insideBy, wasForwarded } from './neighbours.ts';
import { isOperational, Observation, requestIdOf, withoutQuery } from './observation.ts';
import { type Perimeter, Rejections, temporarilyUnavailable } from './rejections.ts';
import { inServerSpan } from './server-span.ts';

export interface HttpOptions {
  /** Proxies whose X-Forwarded-For is trusted, default none. */
  trustedProxies?: readonly string[];
  /** Public origin. If it is https, responses carry Strict-Transport-Security (RFC 6797). */
  publicOrigin?: string;
  /** Maximum size of a request body in bytes; larger bodies are rejected with 413. */
  bodyLimit?: number;
  /**
   * Answers requests that fail before routing (invalid percent-encoding, overlong parameter), for surfaces
   * with their own error format. Returns false to use the default.
   */
  malformedUrl?: (request: FastifyRequest, reply: FastifyReply) => boolean;
  /** Whether trailing and repeated slashes in a path are ignored. */
  lenientSlashes?: boolean;
  /** Rejects requests before routing, default none. */
  perimeter?: Perimeter;
  /** Returns the address by which a request is routed, for surfaces that read the original one themselves. */
  routedAs?: (url: string) => string;
  /** Metrics and access log, default new ones. */
  observation?: Observation;
}

/**
 * Creates the HTTP server of a process: request ids, traces, metrics, access log, health routes, and error
 * responses without internal details. The service adds its routes.
 */
export function createHttp(kit: ServiceKit, options: HttpOptions = {}): FastifyInstance {
  const rejections = new Rejections(options.perimeter);
  const headers = fixedHeaders(options.publicOrigin);
  const app = fastify({
    loggerInstance: kit.log,
    // Each line states its request itself (see createLog); a child logger per request costs more than the
    // line.
    childLoggerFactory: (log) => log,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies?.length ? trustOf(options.trustedProxies) : false,
    bodyLimit: options.bodyLimit ?? 1_048_576,
    // Idle persistent connections would otherwise delay a shutdown indefinitely.
    forceCloseConnections: 'idle',
    keepAliveTimeout: keepAliveMs,
    requestTimeout: 60_000,
    routerOptions: {
      ignoreTrailingSlash: options.lenientSlashes ?? false,
      ignoreDuplicateSlashes: options.lenientSlashes ?? false,
      maxParamLength: 256,
    },
    genReqId: (request) => requestIdOf(request as IncomingMessage),
    rewriteUrl: (request) => {
      const url = rejections.addressOf(request as IncomingMessage);
      return options.routedAs?.(url) ?? url;
    },
    // The response of Fastify would have no request id and no log entry.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id);
      const answer = reply as unknown as FastifyReply;
      addTo(answer, headers);
      if (options.malformedUrl?.(request as FastifyRequest, answer)) return;
      answer.code(404).send(nothingHere);
    },
  }) as unknown as FastifyInstance;
  // Above a number of header fields Node.js silently drops the rest, including those that a proxy adds, and
  // an external request would look internal. The size limit (16 kB, then 431) is sufficient.
  app.server.maxHeadersCount = 0;

  closeIdle(app);
  closeLingering(app.server);
  rejections.restoreAddresses(app);
  observe({ app, kit, headers, observation: options.observation ?? new Observation(kit) });
  refuseAmbiguous(app);
  rejections.respond(app);
  keepInside(app, insideBy(kit.neighbours));
  answerErrors(app);
  addHealthRoutes(app, kit.health);
  return app;
}

/** One year (RFC 6797). Subdomains are not included, because other software may run there. */
const strictTransport = 'max-age=31536000';

/** Returns alternating names and values of the headers of every response. */
export const fixedHeaders = (publicOrigin: string | undefined): readonly string[] =>
  publicOrigin?.startsWith('https:') ? ['strict-transport-security', strictTransport] : [];

/** Adds headers to the response of Node.js, so that responses written without Fastify's reply have them too. */
function addTo({ raw }: FastifyReply, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) raw.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
}

/** Rejects ambiguous requests; see `ambiguityOf`. */
function refuseAmbiguous(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    const reason = ambiguityOf(request.raw);
    if (reason === undefined) return next();
    const { status, headers, body } = ambiguityAnswer(reason);
    reply.code(status).headers(headers).send(body);
  });
}

/** Tenant whose issuer issues the tokens for calls between Ostiary processes. */
const internalTenant = 'platform';
declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request comes from an Ostiary process or this machine. Set on internal routes. */
    isInside?: boolean;
  }
  interface FastifyContextConfig {
    /**
     * The route verifies a credential of an Ostiary process before any other answer, and answers other
     * callers with 404.
     */
    verifiesNeighbour?: boolean;
  }
}

/** Response to external requests for internal routes. */
export const nothingHere = { error: 'not_found', message: 'There is nothing at this address.' } as const;

/**
 * Hides internal routes from external requests, so that an overly broad ingress rule exposes nothing. The
 * decision depends on the matched route, not on the spelling of its path. Routes that verify a credential of
 * an Ostiary process decide by it: processes of 0.2.0 send no other proof.
 */
function keepInside(app: FastifyInstance, isInside: IsInside): void {
  app.decorateRequest('isInside', undefined);
  app.addHook('onRequest', (request, reply, next) => {
    const { url, config } = request.routeOptions;
    const isInternal = url?.startsWith('/internal/') ?? false;
    const isPlatform = (request.params as { tenant?: string } | null)?.tenant === internalTenant;
    if (!isInternal && !isPlatform) return next();
    request.isInside = isInside(request.raw);
    const verifies = isInternal || config?.verifiesNeighbour === true;
    const isRefused = verifies ? cameThroughProxy(request.raw) : wasForwarded(request.raw);
    if (request.isInside || !isRefused) return next();
    reply.code(404).send(nothingHere);
  });
}

function closeIdle(app: FastifyInstance): void {
  const idle = new IdleConnections(app.server);
  app.addHook('preClose', async () => idle.end());
}

interface ObserveOptions {
  app: FastifyInstance;
  kit: ServiceKit;
  headers: readonly string[];
  observation: Observation;
}

function observe({ app, kit, headers, observation }: ObserveOptions): void {
  app.addHook('onRequest', (request, reply, next) => {
    addTo(reply, headers);
    reply.header('x-request-id', request.id);
    if (kit.health.draining) reply.header('connection', 'close');
    const scope = {
      requestId: request.id,
      address: request.ip,
      userAgent: request.headers['user-agent'],
      traceparent: continuedBy(request.raw),
    };
    runInRequest(scope, () => {
      if (!tracingEnabled() || isOperational(request.routeOptions.url)) return next();
      inServerSpan(request.raw, reply.raw, request.routeOptions.url, next);
    });
  });

  app.addHook('onResponse', (request, reply, next) => {
    observation.answered({
      requestId: request.id,
      method: request.method,
      url: request.url,
      route: request.routeOptions.url ?? 'unmatched',
      status: reply.raw.statusCode,
      elapsedMs: reply.elapsedTime,
    });
    next();
  });
}

/** Sends client errors with their message. Internal errors are logged and answered with a request id. */
function answerErrors(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => {
    reply.code(404).send(nothingHere);
  });

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const status = statusOf(error);
    if (status < 500) {
      const { retryAfter } = error as { retryAfter?: unknown };
      if (status === 429 && typeof retryAfter === 'number') reply.header('retry-after', retryAfter);
      return reply.code(status).send({ error: errorName(status), message: error.message });
    }
    logFailure(request, error, status);
    return sendFailure(reply, error, status, request.id);
  });
}

/** Returns the status of an error, default 500. */
export function statusOf(error: unknown): number {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
}

/** Logs an internal failure with its cause: 503 as a warning, others as errors. */
export function logFailure(request: FastifyRequest, error: unknown, status: number): void {
  const line = { requestId: request.id, method: request.method, path: withoutQuery(request.url), err: error };
  if (status === 503)
    request.log.warn({ event: 'request.dependency_unavailable', ...line }, 'Dependency unavailable');
  else request.log.error({ event: 'request.failed', ...line }, 'Request failed');
}

function sendFailure(
  reply: FastifyReply,
  error: FastifyError,
  status: number,
  requestId: string,
): FastifyReply {
  if (status === 503) {
    const retryAfter = (error as { retryAfter?: unknown }).retryAfter;
    reply.header('retry-after', typeof retryAfter === 'number' ? retryAfter : 1);
    return reply.code(503).send(temporarilyUnavailable(requestId));
  }
  return reply
    .code(status)
    .send({ error: 'server_error', message: 'Something went wrong on our side.', request_id: requestId });
}

const names: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  412: 'precondition_failed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
};
const errorName = (status: number): string => names[status] ?? 'invalid_request';
