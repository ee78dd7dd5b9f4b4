import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isPublicTenant } from '@ostiary/access';
import {
  ambiguityOf,
  IdleConnections,
  neighbourHeader,
  requestIdOf,
  type ServiceKit,
  wasForwarded,
} from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { Upstream } from '../../upstreams/index.ts';

export interface OperatorPortOptions {
  app: FastifyInstance;
  auth: Upstream;
  kit: ServiceKit;
}

/** Routes of the platform's issuer for the operator. None of them exists at the public port. */
const issuerRoutes: Readonly<Record<string, string>> = {
  '/t/platform/token': 'POST',
  '/t/platform/.well-known/openid-configuration': 'GET',
};

const graphPattern = /^\/(?:t\/([a-z0-9-]+)\/)?graphql(?:\?|$)/;
const maxFormBytes = 16_384;
const patienceMs = 10_000;

/**
 * A second port, only for the installation's operator: the graph, and the issuer of the tokens that manage tenants.
 * No ingress, proxy or Service leads to it. It listens on loopback by default. Requests that a proxy forwarded or
 * that a page of a browser sent get 404.
 */
export class OperatorPort {
  readonly #options: OperatorPortOptions;
  readonly #server: Server;
  readonly #idle: IdleConnections;

  constructor(options: OperatorPortOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#serve(request, response));
    this.#server.requestTimeout = 60_000;
    this.#idle = new IdleConnections(this.#server);
  }

  /** @throws the system error, for example EADDRINUSE */
  listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        this.#options.kit.log.info(
          { event: 'operator_port.listening', host, port },
          'Operator port listening',
        );
        resolve();
      });
    });
  }

  /** Requests in flight finish. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.end();
      this.#server.close(() => resolve());
    });
  }

  #serve(request: IncomingMessage, response: ServerResponse): unknown {
    const { app } = this.#options;
    const { url = '', method = '' } = request;
    if (ambiguityOf(request) !== undefined) {
      response.setHeader('connection', 'close');
      return say(response, 400, 'Bad request.');
    }
    // Rejects pages: a host name of an attacker may resolve to loopback (DNS rebinding).
    if (wasForwarded(request) || request.headers.origin !== undefined) return nothingHere(response);
    const [isGraph, tenant] = graphPattern.exec(url) ?? [];
    // Handled by the public server, so that authentication, admission and limits apply.
    if (isGraph !== undefined && (tenant === undefined || isPublicTenant(tenant))) {
      return app.server.emit('request', request, response);
    }
    const requestId = requestIdOf(request);
    response.setHeader('x-request-id', requestId);
    const wanted = Object.hasOwn(issuerRoutes, url) ? issuerRoutes[url] : undefined;
    if (wanted === undefined) return nothingHere(response);
    if (wanted !== method) {
      response.setHeader('allow', wanted);
      return say(response, 405, `Only ${wanted} is allowed.`);
    }
    return this.#issuer(request, response, requestId).catch((error: unknown) => {
      this.#options.kit.log.warn(
        { event: 'operator_port.issuer_unavailable', requestId, err: error },
        'Platform issuer did not respond',
      );
      if (response.headersSent) return response.destroy();
      response.setHeader('retry-after', '1');
      return say(response, 503, 'Try again shortly.');
    });
  }

  /**
   * Sends the request as a process of the installation, with its proof and without the headers of a proxy. The issuer
   * logs its own failures under the same request id.
   */
  async #issuer(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<unknown> {
    const { headers, method = 'GET', url = '' } = request;
    const length = Number(headers['content-length'] ?? 0);
    if (length > maxFormBytes || headers['transfer-encoding'] !== undefined) {
      response.setHeader('connection', 'close');
      return say(
        response,
        413,
        `A token request has at most ${maxFormBytes} bytes and a Content-Length header.`,
      );
    }
    const passed = ['authorization', 'content-type', 'accept'] as const;
    const proof = this.#options.kit.neighbours?.value();
    const answer = await this.#options.auth.pool.request({
      path: url,
      method: method as 'GET' | 'POST',
      headers: {
        ...Object.fromEntries(passed.flatMap((name) => (headers[name] ? [[name, headers[name]]] : []))),
        ...(proof !== undefined && { [neighbourHeader]: proof }),
        'x-request-id': requestId,
      },
      body: method === 'POST' ? await text(request) : null,
      headersTimeout: patienceMs,
      bodyTimeout: patienceMs,
    });
    const body = await answer.body.text();
    for (const name of ['content-type', 'www-authenticate', 'cache-control', 'retry-after']) {
      const value = answer.headers[name];
      if (value !== undefined) response.setHeader(name, value);
    }
    return response.writeHead(answer.statusCode).end(body);
  }
}

const nothingHere = (response: ServerResponse): ServerResponse =>
  say(response, 404, 'There is nothing at this address.');

function say(response: ServerResponse, status: number, message: string): ServerResponse {
  return response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    .end(JSON.stringify({ error: names[status] ?? 'not_found', message }));
}

const names: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  503: 'temporarily_unavailable',
};
