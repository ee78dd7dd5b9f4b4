import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Exchange, takeOver } from './exchange.ts';

/** Sends the response that rejects a request. */
export type Rejection = (exchange: Exchange) => void;

/**
 * Decides before routing whether a request is rejected, by its method, address and headers. It may replace the
 * address of a request that it accepts.
 */
export type Perimeter = (request: IncomingMessage) => Rejection | undefined;

/** Matches no route: no request target contains a space. */
const nowhere = '/ ';

/**
 * Rejections before routing. A rejected request is routed nowhere, so that its address, its method and its route
 * have no effect, and the hooks of unmatched requests run for it.
 */
export class Rejections {
  readonly #perimeter: Perimeter | undefined;
  readonly #rejected = new WeakMap<IncomingMessage, { rejection: Rejection; url: string }>();
  #stopping = false;

  constructor(perimeter: Perimeter | undefined) {
    this.#perimeter = perimeter;
  }

  /** Returns the address to route. */
  readonly addressOf = (request: IncomingMessage): string => {
    const rejection = this.#stopping ? refuseWhileStopping : this.#perimeter?.(request);
    const { url = '' } = request;
    if (rejection === undefined) return url;
    this.#rejected.set(request, { rejection, url });
    return nowhere;
  };

  /** Adds the hook that restores the address, which log entries and spans contain. */
  restoreAddresses(app: FastifyInstance): void {
    app.addHook('preClose', async () => {
      this.#stopping = true;
    });
    app.addHook('onRequest', ({ raw }, _reply, next) => {
      const rejected = this.#rejected.get(raw);
      if (rejected !== undefined) raw.url = rejected.url;
      next();
    });
  }

  /** Adds the hook that sends the responses. No body has been read. */
  respond(app: FastifyInstance): void {
    app.addHook('onRequest', (request, reply, next) => {
      const rejected = this.#rejected.get(request.raw);
      if (rejected === undefined) next();
      else rejected.rejection(takeOver(request, reply));
    });
  }
}

/** Body of a 503 response. */
export const temporarilyUnavailable = (requestId: string) => ({
  error: 'temporarily_unavailable',
  message: 'Try again shortly.',
  request_id: requestId,
});

/** Answers requests that arrive on open connections after the server has begun to close. */
const refuseWhileStopping: Rejection = ({ response, requestId, headers }) => {
  const body = JSON.stringify(temporarilyUnavailable(requestId));
  const length = String(Buffer.byteLength(body));
  const type = ['content-type', 'application/json; charset=utf-8', 'content-length', length];
  response.shouldKeepAlive = false;
  response.writeHead(503, [...headers, ...type, 'retry-after', '1']).end(body);
};
