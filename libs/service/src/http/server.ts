import type { IncomingMessage } from 'node:http';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { ServiceKit } from '../kit/kit.ts';
import { runInRequest } from '../tracing/request-scope.ts';
import { continuedTraceparent, tracingEnabled } from '../tracing/tracing.ts';
import { ambiguityAnswer, ambiguityOf } from './ambiguity.ts';
import { trustOf } from './client-address.ts';
import { type DirectSurface, serveDirectly } from './direct.ts';
import { addHealthRoutes } from './health-routes.ts';
import { IdleConnections } from './idle-connections.ts';
import { keepAliveMs } from './keep-alive.ts';
import { closeLingering } from './lingering-close.ts';
import { cameThroughProxy, type IsInside, insideBy, wasForwarded } from './neighbours.ts';
import { isOperational, Observation, requestIdOf, withoutQuery } from './observation.ts';
import { inServerSpan } from './server-span.ts';

export interface HttpOptions {
  /** Whose X-Forwarded-For is believed; nobody's by default. */
  trustedProxies?: readonly string[];
  /** What clients see. When it is https, every answer says that nothing else will do (HSTS, RFC 6797). */
  publicOrigin?: string;
  /** Largest request body in bytes; larger ones get 413. */
  bodyLimit?: number;
  /**
   * Answers what fails before a route is found (a broken percent-encoding, an overlong parameter), for surfaces
   * whose errors have a form of their own. Returns false to leave it to the default.
   */
  malformedUrl?: (request: FastifyRequest, reply: FastifyReply) => boolean;
  /** Whether a slash at the end of a path, or several in a row, mean the same as none and one. */
  lenientSlashes?: boolean;
  /** What is answered past the router. */
  direct?: DirectSurface;
}

/**
 * The HTTP server of every process: request ids, traces, metrics, an access log, health routes, and error answers
 * that help without telling what's inside. Routes are added by the service.
 */
export function createHttp(kit: ServiceKit, options: HttpOptions = {}): FastifyInstance {
  const app = fastify({
    loggerInstance: kit.log,
    // Each line says by itself whose request it belongs to (see createLog); a logger a request costs more than the line.
    childLoggerFactory: (log) => log,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies?.length ? trustOf(options.trustedProxies) : false,
    bodyLimit: options.bodyLimit ?? 1_048_576,
    // Idle keep-alive connections would otherwise hold up a shutdown for as long as they like.
    forceCloseConnections: 'idle',
    keepAliveTimeout: keepAliveMs,
    requestTimeout: 60_000,
    routerOptions: {
      ignoreTrailingSlash: options.lenientSlashes ?? false,
      ignoreDuplicateSlashes: options.lenientSlashes ?? false,
      maxParamLength: 256,
    },
    genReqId: (request) => requestIdOf(request as IncomingMessage),
    exposeHeadRoutes: true,
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id);
      const answer = reply as unknown as FastifyReply;
      if (options.malformedUrl?.(request as FastifyRequest, answer)) return;
      answer.code(404).send(nothingHere);
    },
  }) as unknown as FastifyInstance;
  // Beyond a number of fields Node.js would drop the rest and say nothing, what a proxy adds among them: then the outside would look
  // like a neighbour. The bound on their size (16 kB) is enough, and past it the answer is 431.
  app.server.maxHeadersCount = 0;

  const observation = new Observation(kit);
  serveDirectly({
    app,
    kit,
    observation,
    trustedProxies: options.trustedProxies ?? [],
    headers: options.publicOrigin?.startsWith('https:') ? ['strict-transport-security', strictTransport] : [],
    surface: options.direct,
  });
  closeIdle(app);
  closeLingering(app.server);
  observe(app, kit, observation);
  refuseAmbiguous(app);
  keepInside(app, insideBy(kit.neighbours));
  answerErrors(app);
  addHealthRoutes(app, kit.health);
  return app;
}

/** RFC 6797: a year. Subdomains are left alone: what runs there isn't ours to decide about. */
const strictTransport = 'max-age=31536000';

/** What could be read in two ways is answered by nobody: see `ambiguityOf`. */
function refuseAmbiguous(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, next) => {
    const reason = ambiguityOf(request.raw);
    if (reason === undefined) return next();
    const { status, headers, body } = ambiguityAnswer(reason);
    reply.code(status).headers(headers).send(body);
  });
}

/** The tenant whose issuer makes the tokens that our processes ask each other with. */
const internalTenant = 'platform';
declare module 'fastify' {
  interface FastifyRequest {
    /** Whether it comes from a process of ours, or from this machine. Set on routes that are meant for our own processes. */
    isInside?: boolean;
  }
  interface FastifyContextConfig {
    /** The route verifies a credential of a process of ours before it answers anything else, and answers others with 404. */
    verifiesNeighbour?: boolean;
  }
}

/** Answer to whatever asks from outside for what is meant for our own processes. */
export const nothingHere = { error: 'not_found', message: 'There is nothing at this address.' } as const;

/**
 * What is meant for our own processes isn't there for a request from outside, so a rule of an ingress that sends too much this way opens
 * nothing. Decided by the route that was found, not by how its address was written. Routes that verify the credential of a process of ours
 * decide by it: processes of 0.2.0 have no other proof.
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

function observe(app: FastifyInstance, kit: ServiceKit, observation: Observation): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id);
    if (kit.health.draining) reply.header('connection', 'close');
    const scope = {
      requestId: request.id,
      address: request.ip,
      userAgent: request.headers['user-agent'],
      traceparent: tracingEnabled() ? undefined : continuedTraceparent(first(request.headers.traceparent)),
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

const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/** Client errors keep their words; whatever went wrong inside is logged and answered with an id to ask for. */
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

/** The status an error asks for; 500 for anything that doesn't say. */
export function statusOf(error: unknown): number {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
}

/** Logs what failed inside, with the cause; 503 is a warning, the rest is an error. */
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
    return reply.code(503).send({
      error: 'temporarily_unavailable',
      message: 'Please try again shortly.',
      request_id: requestId,
    });
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
