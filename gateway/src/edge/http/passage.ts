import type { IncomingHttpHeaders } from 'node:http';
import { type Exchange, isUnsent } from '@ostiary/service';
import type { Dispatcher } from 'undici';
import { brokeOff } from '../../upstreams/index.ts';
import { type PassedBody, whenWhole } from './body.ts';
import { type HeaderList, responseHeaders } from './headers.ts';

/** A request that is on its way to a service, and what is needed to bring back its answer. */
export interface PassageOptions {
  exchange: Exchange;
  pool: Dispatcher;
  /** Path and query for the service. */
  target: string;
  headers: HeaderList;
  body: PassedBody;
  /** Milliseconds until the answer has to begin, and for which its body may stand still. */
  timeoutMs: number;
  /** The answer has begun, or there will be none. */
  onBegun: ((error?: Error) => void) | undefined;
  /** There is no answer that could be passed on, and the client waits for one: it is told so here. */
  onFailed(error: Error): void;
}

class ClientGone extends Error {
  constructor() {
    super('the client is gone');
  }
}

/**
 * Takes a request to its service and the answer back, byte for byte. On the dispatcher itself, and without Fastify's reply: the streams, the
 * abort signal and the reply of `request` and `send` cost more than all the rest of a small request. An answer that is here as a whole is
 * written together with its head.
 */
export class Passage implements Dispatcher.DispatchHandler {
  readonly #options: PassageOptions;
  #controller: Dispatcher.DispatchController | undefined;
  /** Status and headers, until the first of the body is there: as long as nothing was written, a failure can be told. */
  #head: { status: number; headers: HeaderList } | undefined;
  /** Bytes of the answer's body that are still to come; NaN when the service didn't say. */
  #missing = Number.NaN;
  /** The request's body, where it was awaited. */
  #whole: Buffer | null = null;
  #answered = false;
  #repeated = false;
  #gone = false;

  constructor(options: PassageOptions) {
    this.#options = options;
    // A client that went away must not keep a service busy.
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
        // The same for both: a timer that stays is cheaper than two that follow each other.
        bodyTimeout: timeoutMs,
      },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // It may have waited for a connection for so long that its client is gone.
    if (this.#gone) controller.abort(new ClientGone());
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    given: IncomingHttpHeaders,
  ): void {
    // Interim answers (RFC 9110 §15.2) concern this hop.
    if (status < 200) return;
    const {
      exchange: { request, headers: own },
      onBegun,
    } = this.#options;
    const headers = responseHeaders(given);
    headers.push(...own);
    // Answered before the body was read: this connection can't carry another request.
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
      // As Latin-1, byte for byte: a text goes out in one piece with the head.
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
    // What has been written can't be taken back; an answer that is cut off must not look like a whole one.
    if (response.headersSent) response.destroy();
    else onFailed(error);
  }

  /**
   * What never left may be sent again, once, unless its body is used up; and so may a read that a kept-alive connection lost before anything
   * was answered.
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
