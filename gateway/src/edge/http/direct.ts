import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ambiguityAnswer,
  ambiguityOf,
  clientAddress,
  continuedBy,
  type Exchange,
  inServerSpan,
  type Observation,
  requestIdOf,
  type ServiceKit,
  tracingEnabled,
} from '@ostiary/service';
import type { FastifyInstance } from 'fastify';

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
  /** Alternating names and values of the headers of every response. */
  headers: readonly string[];
  surface: DirectSurface;
}

/**
 * Handles requests before the router. Request ids, rejection of ambiguous requests, client addresses,
 * metrics, access log and spans use the same functions as the router's hooks. A test sends the same attacks
 * both ways.
 */
export function serveDirectly(options: DirectOptions): void {
  const { app, surface } = options;
  const route = app.server.listeners('request').at(-1) as Listener | undefined;
  if (route === undefined) throw new Error('the router listens to nothing');
  const directly = new DirectAnswers(options);
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.server.removeListener('request', route);
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const found = closing ? undefined : surface.find(request);
    if (found === undefined) route(request, response);
    else directly.answer(request, response, found);
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
    const exchange: Exchange = {
      request,
      response,
      requestId,
      address: this.#addressOf(request),
      headers: own,
      traceparent: continuedBy(request),
    };
    if (tracingEnabled()) inServerSpan(request, response, route.pattern, () => route.answer(exchange));
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
