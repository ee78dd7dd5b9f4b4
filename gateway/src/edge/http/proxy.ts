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
import type { DirectSurface } from './direct.ts';
import { type HeaderList, originHeaders, requestHeaders } from './headers.ts';
import { Passage } from './passage.ts';

export interface EdgeOptions {
  kit: ServiceKit;
  publicOrigin: string;
  upstreams: Upstreams;
  /** Maximum size of a request body of each service, in bytes. */
  bodyLimits: Readonly<Record<PublicService, number>>;
  /** Timeout in milliseconds until a service's response begins, and between two parts of its body. */
  timeoutMs?: number;
}

const metadata = [
  '/.well-known/oauth-authorization-server/*',
  '/.well-known/ssf-configuration/*',
  '/.well-known/oauth-protected-resource/t/*',
];

/**
 * All methods that Node.js parses; the service decides which of them an address supports. CONNECT and TRACE are
 * unsupported.
 */
const methods = METHODS.filter((method) => !['CONNECT', 'TRACE'].includes(method));

/**
 * Forwards the contract's routes to the services, bodies byte for byte in both directions.
 *
 * Uses undici instead of @fastify/reply-from, which normalises paths after they were checked, repeats a GET after a
 * 503, accepts any TLS certificate, and responds 500 when a service is unavailable.
 */
export class Edge {
  readonly #options: EdgeOptions;
  readonly #origin: HeaderList;

  constructor(options: EdgeOptions) {
    this.#options = options;
    this.#origin = originHeaders(options.publicOrigin);
  }

  /**
   * Handles addresses that all parsers read alike, nearly all requests, and rejects those that parsers read
   * differently. Neither needs the router.
   */
  readonly direct: DirectSurface = {
    find: ({ url = '', method }) => {
      if (method === 'TRACE') return undefined;
      const route = plainRouteOf(url) ?? (isMalformed(url) ? 'malformed' : undefined);
      return route && { pattern: patternOf(url), answer: (exchange) => this.#forward(exchange, route) };
    },
  };

  /** Handles the remaining addresses, after the router found no route of the gateway itself. */
  readonly routes: FastifyPluginAsync = async (app: FastifyInstance) => {
    // Only the services parse bodies.
    app.removeAllContentTypeParsers();
    for (const method of methods) {
      if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
    }
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // Before the handler, only an invalid Content-Type can fail.
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
      pool: upstreams[service][mayBeHeld(target) ? 'holding' : 'pool'],
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

/** The revocation feed, and polled streams (RFC 8936 §2.4). */
const heldPaths = /^\/t\/[^/?]+\/(?:revocations(?:\?|$)|ssf\/poll\/)/;

/** Reports whether the service may hold a request. Its router decodes the path, so an encoded one counts too. */
function mayBeHeld(target: string): boolean {
  if (!target.includes('%')) return heldPaths.test(target);
  const [path = ''] = target.split('?', 1);
  try {
    return heldPaths.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** The graph of a tenant; its own route decides whether the tenant has one. */
const graphOfTenant = /^[^?]*\/graphql(?:\?|$)/;
const isMalformed = (url: string): boolean =>
  url.startsWith('/t/') && !graphOfTenant.test(url) && routeOf(url) === 'malformed';

/** Returns the router's pattern of an address. */
const patternOf = (url: string): string =>
  url.startsWith('/t/') ? '/t/*' : (metadata.find((pattern) => url.startsWith(pattern.slice(0, -1))) ?? '');
