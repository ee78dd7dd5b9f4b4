import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceKit } from '../kit/kit.ts';
import { continuedTraceparent, tracingEnabled } from '../tracing/tracing.ts';
import { ambiguityAnswer, ambiguityOf } from './ambiguity.ts';
import { clientAddress } from './client-address.ts';
import { type Observation, requestIdOf } from './observation.ts';
import { inServerSpan } from './server-span.ts';

/** A request and its answer, as Node.js has them, with what this process knows and says of each. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Of the client, as far as trusted proxies vouch for it. */
  readonly address: string;
  /** Names and values in turn, of the headers that every answer of this process has. */
  readonly headers: readonly string[];
  /** Where no spans are recorded: the caller's trace as it goes on from here. */
  readonly traceparent: string | undefined;
}

/** Requests that are answered without the router, its hooks and its reply, because they are many and only pass through. */
export interface DirectSurface {
  /** Undefined for what the router is to find. */
  find(request: IncomingMessage): DirectRoute | undefined;
}

export interface DirectRoute {
  /** How metrics and spans name it. */
  readonly pattern: string;
  answer(exchange: Exchange): void;
}

export interface DirectOptions {
  app: FastifyInstance;
  kit: ServiceKit;
  observation: Observation;
  trustedProxies: readonly string[];
  /** For every answer. */
  headers: readonly string[];
  surface: DirectSurface | undefined;
}

/**
 * Stands in front of the router. What holds for every request (its id, what could be read in two ways, the address, metrics, access log,
 * spans, the end of the process) is done by the same functions here and in the router's hooks; a test sends the same attacks both ways.
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
    const found = closing ? undefined : surface?.find(request);
    if (found !== undefined) {
      directly.answer(request, response, found);
      return;
    }
    // Before anything else: what fails before a route is found has them, too, and so have streams.
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

const parentOf = ({ headers }: IncomingMessage): string | undefined => {
  const { traceparent } = headers;
  return Array.isArray(traceparent) ? traceparent[0] : traceparent;
};

/** Takes a request that came through the router from it; its hooks have done their part, and the one after the answer will. */
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
