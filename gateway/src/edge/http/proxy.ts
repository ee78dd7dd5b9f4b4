import type { IncomingHttpHeaders } from 'node:http';
import { METHODS } from 'node:http';
import { currentTraceparent, type ServiceKit, SpanKind, statusOf, withSpan } from '@ostiary/service';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { brokeOff, type ServiceName, type Upstream, type Upstreams } from '../../upstreams/index.ts';
import { routeOf } from '../domain/route.ts';
import { BodyTooLarge, bodyOf } from './body.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { refuse, speaksScim } from './refusal.ts';

export interface EdgeOptions {
  kit: Pick<ServiceKit, 'log'>;
  publicOrigin: string;
  upstreams: Upstreams;
  /** Largest request body of each service, in bytes. */
  bodyLimits: Readonly<Record<ServiceName, number>>;
  /** Milliseconds a service may take until its answer begins. */
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
 * Passes the contract's routes on to the services, bodies as streams and byte for byte in both directions.
 *
 * Written on undici rather than on @fastify/reply-from, which normalises paths after they were checked, sends a GET
 * again after a 503, accepts any TLS certificate, and answers 500 when a service is down.
 */
export function edge(options: EdgeOptions): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    // Bodies are the services' business: no parser reads them here.
    app.removeAllContentTypeParsers();
    for (const method of methods) {
      if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
    }
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    // What is left to go wrong before the handler is a Content-Type that is none.
    app.setErrorHandler((error, request, reply) => {
      if (statusOf(error) !== 415) throw error;
      const url = request.raw.url ?? '';
      return refuse(reply, url, speaksScim(url) ? 415 : 400, 'The Content-Type header is malformed.');
    });
    for (const url of ['/t/*', ...metadata]) {
      app.route({ method: [...methods], url, exposeHeadRoute: false, handler: forward(options) });
    }
  };
}

function forward(options: EdgeOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const url = request.raw.url ?? '';
    const route = routeOf(url);
    if (route === 'malformed') return refuse(reply, url, 400, 'The address is malformed.');
    if (route === 'unknown') return refuse(reply, url, 404, 'There is nothing at this address.');
    const upstream = options.upstreams[route.service];
    const client = new AbortController();
    // A client that went away must not keep a service busy.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) client.abort();
    });
    try {
      await withSpan(
        `proxy ${upstream.name}`,
        { kind: SpanKind.CLIENT, attributes: { 'peer.service': upstream.name } },
        () => pass(request, reply, upstream, route.target, client.signal, options),
      );
      return reply;
    } catch (error) {
      if (client.signal.aborted) return reply.hijack();
      // The rest of an unread body would be taken for the next request.
      if (!request.raw.complete) reply.header('connection', 'close');
      if (error instanceof BodyTooLarge) return refuse(reply, url, 413, 'The request body is too large.');
      options.kit.log.warn(
        { requestId: request.id, service: upstream.name, err: error },
        'service unavailable',
      );
      reply.header('retry-after', '2');
      return refuse(reply, url, 503, 'The service is not available right now. Try again shortly.');
    }
  };
}

/** Sends the request and starts the answer; the answer's body goes on after this has resolved. */
async function pass(
  request: FastifyRequest,
  reply: FastifyReply,
  upstream: Upstream,
  path: string,
  signal: AbortSignal,
  options: EdgeOptions,
): Promise<void> {
  const body = bodyOf(request, options.bodyLimits[upstream.name]);
  const call: Dispatcher.RequestOptions = {
    method: request.method as Dispatcher.HttpMethod,
    path,
    headers: requestHeaders(request.headers, {
      address: request.ip,
      publicOrigin: options.publicOrigin,
      requestId: request.id,
      traceparent: currentTraceparent(),
    }),
    body,
    signal,
    headersTimeout: options.timeoutMs ?? 30_000,
    bodyTimeout: 60_000,
  };
  let response: Dispatcher.ResponseData;
  try {
    response = await upstream.pool.request(call);
  } catch (error) {
    const read = body === null && (request.method === 'GET' || request.method === 'HEAD');
    if (!read || !brokeOff(error) || signal.aborted) throw error;
    response = await upstream.pool.request(call);
  }
  reply.code(response.statusCode).headers(responseHeaders(response.headers as IncomingHttpHeaders));
  // Answered before the body was read: this connection can't carry another request.
  if (!request.raw.complete) reply.header('connection', 'close');
  reply.send(response.body);
}
