import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceKit } from '../kit/kit.ts';
import { continuedTraceparent, tracingEnabled } from '../tracing/tracing.ts';
import { ambiguityAnswer, ambiguityOf } from './ambiguity.ts';
import { clientAddress } from './client-address.ts';
import { type Observation, requestIdOf } from './observation.ts';
import { inServerSpan } from './server-span.ts';

/** A request and its response as objects of Node.js, with data that this process adds to each. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Client address, as reported by trusted proxies. */
  readonly address: string;
  /** Alternating names and values of the headers of every response of this process. */
  readonly headers: readonly string[];
  /** Traceparent for outgoing calls if this process records no spans. */
  readonly traceparent: string | undefined;
}

/** Body of a 503 response. */
export const temporarilyUnavailable = (requestId: string) => ({
  error: 'temporarily_unavailable',
  message: 'Try again shortly.',
  request_id: requestId,
});

/** Requests that bypass the router, its hooks and its reply, because they are frequent and only proxied. */
export interface DirectSurface {
  /** Returns undefined to leave the request to the router. */
  find(request: IncomingMessage): DirectRoute | undefined;
}

export interface DirectRoute {
  /** Route name in metrics and spans. */
  readonly pattern: string;
  answer(exchange: Exchange): void;
}

export interface DirectOptions {
  app: FastifyInstance;
  kit: ServiceKit;
  observation: Observation;
  trustedProxies: readonly string[];
  /** Headers of every response. */
  headers: readonly string[];
  surface: DirectSurface | undefined;
}

/**
 * Handles requests before the router. Request ids, rejection of ambiguous requests, client addresses,
 * metrics, access log, spans and shutdown use the same functions as the router's hooks. A test sends the same
 * attacks both ways.
 */
export function serveDirectly(options: DirectOptions): void {
  const { app, surface, headers } = options;
  const [route] = app.server.listeners('request') as Listener[];
  if (route === undefined) throw new Error('the router listens to nothing');
  const directly = new DirectAnswers(options);
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.server.removeListener('request', route);
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // The router would reject it without a request id and without a log entry.
    const found = closing ? stopping : surface?.find(request);
    if (found !== undefined) {
      directly.answer(request, response, found);
      return;
    }
    // Set first, so that streams and errors before routing have them too.
    for (let at = 0; at < headers.length; at += 2)
      response.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
    route(request, response);
  });
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

class DirectAnswers {
  readonly #options: DirectOptions;
  readonly #addressOf: (request: IncomingMessage) => string;

  constructor(options: DirectOptions) {
    this.#options = options;
    this.#addressOf = clientAddress(options.trustedProxies);
  }

  answer(request: IncomingMessage, response: ServerResponse, route: DirectRoute): void {
    const { kit, observation, headers } = this.#options;
    const requestId = requestIdOf(request);
    const begun = performance.now();
    response.once('finish', () => {
      const { method = '', url = '' } = request;
      const { statusCode: status } = response;
      const elapsedMs = performance.now() - begun;
      observation.answered({ requestId, method, url, route: route.pattern, status, elapsedMs });
    });
    const own = ['x-request-id', requestId, ...headers];
    if (kit.health.draining) own.push('connection', 'close');
    const ambiguity = ambiguityOf(request);
    if (ambiguity !== undefined) {
      refuseAmbiguous(response, ambiguity, own);
      return;
    }
    const traced = tracingEnabled();
    const exchange: Exchange = {
      request,
      response,
      requestId,
      address: this.#addressOf(request),
      headers: own,
      traceparent: traced ? undefined : continuedTraceparent(parentOf(request)),
    };
    if (traced) inServerSpan(request, response, route.pattern, () => route.answer(exchange));
    else route.answer(exchange);
  }
}

function refuseAmbiguous(response: ServerResponse, reason: string, own: readonly string[]): void {
  const { status, headers, body } = ambiguityAnswer(reason);
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  const type = ['content-type', 'application/json; charset=utf-8', 'content-length', length];
  response.writeHead(status, [...own, ...Object.entries(headers).flat(), ...type]).end(text);
}

/** Answers requests that arrive on open connections after the server has begun to close. */
const stopping: DirectRoute = {
  pattern: 'unmatched',
  answer({ response, requestId, headers }) {
    const body = JSON.stringify(temporarilyUnavailable(requestId));
    const length = String(Buffer.byteLength(body));
    const type = ['content-type', 'application/json; charset=utf-8', 'content-length', length];
    response.shouldKeepAlive = false;
    response.writeHead(503, [...headers, ...type, 'retry-after', '1']).end(body);
  },
};

const parentOf = ({ headers }: IncomingMessage): string | undefined => {
  const { traceparent } = headers;
  return Array.isArray(traceparent) ? traceparent[0] : traceparent;
};

/** Takes a routed request from the router. Its earlier hooks have run, and its response hook will. */
export function takeOver(request: FastifyRequest, reply: FastifyReply): Exchange {
  const headers: string[] = [];
  const given = reply.getHeaders();
  for (const name in given) headers.push(name, String(given[name]));
  reply.hijack();
  return {
    request: request.raw,
    response: reply.raw,
    requestId: request.id,
    address: request.ip,
    headers,
    traceparent: tracingEnabled() ? undefined : continuedTraceparent(parentOf(request.raw)),
  };
}
