import type { IncomingHttpHeaders } from 'node:http';
import { type Exchange, isUnsent } from '@ostiary/service';
import type { Dispatcher } from 'undici';
import { brokeOff } from '../../upstreams/index.ts';
import { type PassedBody, whenWhole } from './body.ts';
import { type HeaderList, responseHeaders } from './headers.ts';

/** A request to a service, with the means to return its response. */
export interface PassageOptions {
  exchange: Exchange;
  pool: Dispatcher;
  /** Path and query for the service. */
  target: string;
  headers: HeaderList;
  body: PassedBody;
  /** Timeout in milliseconds until the response begins, and between two parts of its body. */
  timeoutMs: number;
  /** Called when the response has begun or has failed. */
  onBegun: ((error?: Error) => void) | undefined;
  /** Called when no response can be forwarded and the client still waits. */
  onFailed(error: Error): void;
}

class ClientGone extends Error {
  constructor() {
    super('the client is gone');
  }
}

/**
 * Forwards a request to its service and returns the response, byte for byte. It uses the dispatcher directly, without
 * Fastify's reply: the streams, the abort signal and the reply of `request` and `send` cost more than the rest of a
 * small request. A response that arrives completely is written together with its head.
 */
export class Passage implements Dispatcher.DispatchHandler {
  readonly #options: PassageOptions;
  #controller: Dispatcher.DispatchController | undefined;
  /** Status and headers, held until the body begins: before the first write, a failure can still be reported. */
  #head: { status: number; headers: HeaderList } | undefined;
  /** Outstanding bytes of the response body; NaN when the service did not state its length. */
  #missing = Number.NaN;
  /** The request's body, where it was read completely first. */
  #whole: Buffer | null = null;
  #answered = false;
  #repeated = false;
  #gone = false;

  constructor(options: PassageOptions) {
    this.#options = options;
    // When the client disconnects, the service's work is aborted.
    const { response } = options.exchange;
    response.once('close', () => {
      if (response.writableFinished) return;
      this.#gone = true;
      this.#controller?.abort(new ClientGone());
    });
  }

  begin(): void {
    const { exchange, body } = this.#options;
    if (body.kind === 'whole') {
      whenWhole(exchange.request, body.length, (whole) => {
        this.#whole = whole;
        this.#dispatch(whole);
      });
    } else this.#dispatch(body.kind === 'stream' ? body.stream() : null);
  }

  #dispatch(body: Dispatcher.DispatchOptions['body']): void {
    const { exchange, pool, target, headers, timeoutMs } = this.#options;
    pool.dispatch(
      {
        method: exchange.request.method as Dispatcher.HttpMethod,
        path: target,
        headers,
        body: body ?? null,
        headersTimeout: timeoutMs,
        // The same value as `headersTimeout`: keeping one timer is cheaper than starting a second one.
        bodyTimeout: timeoutMs,
      },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The client may have disconnected while the request waited for a connection.
    if (this.#gone) controller.abort(new ClientGone());
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    given: IncomingHttpHeaders,
  ): void {
    // Interim responses (RFC 9110 §15.2) concern this hop.
    if (status < 200) return;
    const {
      exchange: { request, headers: own },
      onBegun,
    } = this.#options;
    const headers = responseHeaders(given);
    headers.push(...own);
    // The request body was not read to its end, so the connection cannot carry another request.
    if (!request.complete) headers.push('connection', 'close');
    this.#head = { status, headers };
    const length = given['content-length'];
    this.#missing = length === undefined || request.method === 'HEAD' ? Number.NaN : Number(length);
    onBegun?.();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { response } = this.#options.exchange;
    if (this.#gone) return;
    this.#missing -= chunk.length;
    if (this.#head !== undefined && this.#missing === 0) {
      this.#writeHead();
      this.#answered = true;
      // As Latin-1, byte for byte: a string is sent in one piece with the head.
      response.end(chunk.toString('latin1'), 'latin1');
      return;
    }
    this.#writeHead();
    if (response.write(chunk)) return;
    controller.pause();
    response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.#answered || this.#gone) return;
    this.#writeHead();
    this.#answered = true;
    this.#options.exchange.response.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const {
      exchange: { response },
      onBegun,
      onFailed,
    } = this.#options;
    this.#controller = undefined;
    if (this.#answered) return;
    const begun = this.#head !== undefined || response.headersSent;
    if (!begun && !this.#gone && this.#mayRepeat(error)) {
      this.#repeated = true;
      this.#dispatch(this.#whole);
      return;
    }
    if (!begun) onBegun?.(error);
    if (this.#gone) return;
    // Bytes are on the wire already. A truncated response must not look complete.
    if (response.headersSent) response.destroy();
    else onFailed(error);
  }

  /**
   * Reports whether the request may be sent again, once. This applies to a request that was never sent and whose body
   * can be read again, and to a read whose persistent connection broke before a response.
   */
  #mayRepeat(error: Error): boolean {
    const {
      exchange: { request },
      body,
    } = this.#options;
    if (this.#repeated || body.kind === 'stream') return false;
    const read = body.kind === 'none' && (request.method === 'GET' || request.method === 'HEAD');
    return isUnsent(error) || (read && brokeOff(error));
  }

  #writeHead(): void {
    if (this.#head === undefined) return;
    const { status, headers } = this.#head;
    this.#head = undefined;
    this.#options.exchange.response.writeHead(status, headers);
  }
}
