import { METHODS } from 'node:http';
import {
  malformedType,
  type NoRoute,
  noRoute,
  objectionTo,
  type PublicService,
  plainRouteOf,
  type Route,
  refuse,
  routeOf,
  tooLarge,
  unavailable,
} from '@ostiary/access';
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
import type { Upstreams } from '../../upstreams/index.ts';
import { BodyTooLarge, bodyOf, type PassedBody } from './body.ts';
import { type HeaderList, originHeaders, requestHeaders } from './headers.ts';
import { Passage } from './passage.ts';

export interface EdgeOptions {
  kit: Pick<ServiceKit, 'log'>;
  publicOrigin: string;
  upstreams: Upstreams;
  /** Largest request body of each service, in bytes. */
  bodyLimits: Readonly<Record<PublicService, number>>;
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

  /**
   * For addresses that mean the same to every parser, nearly all requests, and for those that mean different things to some: neither need
   * the router.
   */
  readonly direct: DirectSurface = {
    find: ({ url = '', method }) => {
      if (method === 'TRACE') return undefined;
      const route = plainRouteOf(url) ?? (isMalformed(url) ? 'malformed' : undefined);
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

  #forward(exchange: Exchange, route: Route | NoRoute): void {
    const { request } = exchange;
    if (typeof route === 'string') {
      refuse(exchange, noRoute(request.url ?? '', route));
      return;
    }
    const limit = this.#options.bodyLimits[route.service];
    const objection = objectionTo(request, limit);
    if (objection !== undefined) refuse(exchange, objection);
    else if (tracingEnabled()) this.#passInSpan(exchange, route, bodyOf(request, limit));
    else this.#pass(exchange, route, bodyOf(request, limit));
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
        if (error instanceof BodyTooLarge) refuse(exchange, tooLarge(url));
        else {
          kit.log.warn(
            { event: 'proxy.service_unavailable', requestId, service, err: error },
            'Service unavailable',
          );
          refuse(exchange, unavailable(url));
        }
      },
    }).begin();
  }
}

/** The graph of a tenant, which says itself for which tenants there is one. */
const graphOfTenant = /^[^?]*\/graphql(?:\?|$)/;
const isMalformed = (url: string): boolean =>
  url.startsWith('/t/') && !graphOfTenant.test(url) && routeOf(url) === 'malformed';

/** The pattern under which the router has it. */
const patternOf = (url: string): string =>
  url.startsWith('/t/') ? '/t/*' : (metadata.find((pattern) => url.startsWith(pattern.slice(0, -1))) ?? '');
