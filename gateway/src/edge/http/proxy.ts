import { type IncomingMessage, METHODS } from 'node:http';
import {
  currentTraceparent,
  type DirectSurface,
  type Exchange,
  failSpan,
  inSpan,
  type ServiceKit,
  SpanKind,
  startSpan,
  statusOf,
  takeOver,
  tracingEnabled,
} from '@ostiary/service';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { ServiceName, Upstreams } from '../../upstreams/index.ts';
import { plainRouteOf, type Route, routeOf } from '../domain/route.ts';
import { BodyTooLarge, bodyOf, type PassedBody } from './body.ts';
import { type HeaderList, originHeaders, requestHeaders } from './headers.ts';
import { Passage } from './passage.ts';
import { type Refusal, refusal, speaksScim } from './refusal.ts';

export interface EdgeOptions {
  kit: Pick<ServiceKit, 'log'>;
  publicOrigin: string;
  upstreams: Upstreams;
  /** Largest request body of each service, in bytes. */
  bodyLimits: Readonly<Record<ServiceName, number>>;
  /** Milliseconds a service may take until its answer begins, and for which its body may stand still. */
  timeoutMs?: number;
}

const metadata = [
  '/.well-known/oauth-authorization-server/*',
  '/.well-known/ssf-configuration/*',
  '/.well-known/oauth-protected-resource/t/*',
];

/** All that Node.js can read: which of them an address has is its service's to say. CONNECT and TRACE aren't spoken here. */
const methods = METHODS.filter((method) => !['CONNECT', 'TRACE'].includes(method));

/**
 * Passes the contract's routes on to the services, bodies byte for byte in both directions.
 *
 * Written on undici rather than on @fastify/reply-from, which normalises paths after they were checked, sends a GET
 * again after a 503, accepts any TLS certificate, and answers 500 when a service is down.
 */
export class Edge {
  readonly #options: EdgeOptions;
  readonly #origin: HeaderList;

  constructor(options: EdgeOptions) {
    this.#options = options;
    this.#origin = originHeaders(options.publicOrigin);
  }

  /** For addresses that mean the same to every parser: nearly all requests. They needn't go through the router. */
  readonly direct: DirectSurface = {
    find: ({ url = '', method }) => {
      const route = method === 'TRACE' ? undefined : plainRouteOf(url);
      return route && { pattern: patternOf(url), answer: (exchange) => this.#forward(exchange, route) };
    },
  };

  /** For all others, after the router has found that no route of the gateway itself is meant. */
  readonly routes: FastifyPluginAsync = async (app: FastifyInstance) => {
    // Bodies are the services' business: no parser reads them here.
    app.removeAllContentTypeParsers();
    for (const method of methods) {
      if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
    }
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // What is left to go wrong before the handler is a Content-Type that is none.
    app.setErrorHandler((error, request, reply) => {
      if (statusOf(error) !== 415) throw error;
      refuse(takeOver(request, reply), malformedType(request.raw.url ?? ''));
    });
    for (const url of ['/t/*', ...metadata]) {
      app.route({
        method: [...methods],
        url,
        exposeHeadRoute: false,
        handler: (request, reply) => {
          const { url = '' } = request.raw;
          this.#forward(takeOver(request, reply), routeOf(url));
        },
      });
    }
  };

  #forward(exchange: Exchange, route: Route | 'malformed' | 'unknown'): void {
    const { request } = exchange;
    const { url = '' } = request;
    if (typeof route === 'string') refuse(exchange, route === 'malformed' ? malformed(url) : unknown(url));
    else if (!isWellTyped(request)) refuse(exchange, malformedType(url));
    else {
      const body = bodyOf(request, this.#options.bodyLimits[route.service]);
      if (body.kind === 'too large') refuseUnread(exchange, tooLarge(url));
      else if (tracingEnabled()) this.#passInSpan(exchange, route, body);
      else this.#pass(exchange, route, body);
    }
  }

  #passInSpan(exchange: Exchange, route: Route, body: PassedBody): void {
    const span = startSpan(`proxy ${route.service}`, {
      kind: SpanKind.CLIENT,
      attributes: { 'peer.service': route.service },
    });
    inSpan(span, () =>
      this.#pass(exchange, route, body, (error) => {
        if (error !== undefined) failSpan(span, error);
        span.end();
      }),
    );
  }

  #pass(
    exchange: Exchange,
    { service, target }: Route,
    body: PassedBody,
    onBegun?: (error?: Error) => void,
  ): void {
    const { kit, upstreams, timeoutMs = 30_000 } = this.#options;
    const { request, requestId, address } = exchange;
    const traceparent = exchange.traceparent ?? currentTraceparent();
    new Passage({
      exchange,
      pool: upstreams[service].pool,
      target,
      headers: requestHeaders(request.headers, { address, requestId, traceparent }, this.#origin),
      body,
      timeoutMs,
      onBegun,
      onFailed: (error) => {
        const url = request.url ?? '';
        const tell = request.complete ? refuse : refuseUnread;
        if (error instanceof BodyTooLarge) tell(exchange, tooLarge(url));
        else {
          kit.log.warn({ requestId, service, err: error }, 'service unavailable');
          tell(exchange, unavailable(url));
        }
      },
    }).begin();
  }
}

/** The pattern under which the router has it. */
const patternOf = (url: string): string =>
  url.startsWith('/t/') ? '/t/*' : (metadata.find((pattern) => url.startsWith(pattern.slice(0, -1))) ?? '');

/** `type/subtype` (RFC 9110 §8.3.1); what parameters follow is its service's to judge. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

function isWellTyped({ method, headers: { 'content-type': type } }: IncomingMessage): boolean {
  return type === undefined || method === 'GET' || method === 'HEAD' || mediaType.test(type);
}

const malformed = (url: string): Refusal => refusal(url, 400, 'The address is malformed.');
const unknown = (url: string): Refusal => refusal(url, 404, 'There is nothing at this address.');
const malformedType = (url: string): Refusal =>
  refusal(url, speaksScim(url) ? 415 : 400, 'The Content-Type header is malformed.');
const tooLarge = (url: string): Refusal => refusal(url, 413, 'The request body is too large.');
const unavailable = (url: string): Refusal =>
  refusal(url, 503, 'The service is not available right now. Try again shortly.');

/** Answers by itself. */
function refuse({ response, headers }: Exchange, { status, headers: own, body }: Refusal): void {
  response.writeHead(status, [...headers, ...own]).end(body);
}

/** Likewise, though not all of the request was read: the rest of it would be taken for the next one, so its connection ends. */
function refuseUnread(exchange: Exchange, refused: Refusal): void {
  refuse({ ...exchange, headers: [...exchange.headers, 'connection', 'close'] }, refused);
}
