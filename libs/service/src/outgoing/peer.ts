import { type Dispatcher, errors, Pool } from 'undici';
import { ServiceUnavailable } from '../errors.ts';
import { neighbourHeader } from '../http/neighbours.ts';
import type { Neighbours } from '../kit/kit.ts';
import { timeLimit } from '../time/time-limit.ts';
import { currentAddress, currentRequestId, currentUserAgent } from '../tracing/request-scope.ts';
import { currentTraceparent, SpanKind, withSpan } from '../tracing/tracing.ts';
import { isUnsent } from './unsent.ts';

export interface PeerOptions {
  /** Name of the other service, for errors, spans and logs. */
  name: string;
  /** Where it listens, e.g. http://127.0.0.1:4001. */
  origin: string;
  /** Supplies the bearer token of each call; told which one was refused, it may know a newer one. */
  token?: (refused?: string) => Promise<string>;
  /** Proves to the other service that the calls come from a process of ours. */
  neighbours?: Pick<Neighbours, 'value'> | undefined;
  /** Milliseconds until a call is given up. */
  timeoutMs?: number;
  connections?: number;
}

export interface PeerRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with the leading slash; encode parameters with `encodeURIComponent`. */
  path: string;
  query?: Record<string, string | undefined>;
  /** Sent as JSON; use `form` for a form. */
  body?: unknown;
  form?: URLSearchParams;
  headers?: Record<string, string>;
  /** Whether the call may be sent again after a broken connection; GET, PUT and DELETE are by themselves. */
  idempotent?: boolean;
  timeoutMs?: number;
  /** Gives the call up. */
  signal?: AbortSignal | undefined;
  /** Asked all the time, whatever happens: no trace begins with it. */
  untraced?: boolean;
  /**
   * Called when the peer says that it has done what was asked and only its answer waits (102, RFC 2518 §10.1), which it does for who
   * prefers to hear of it (RFC 7240 §2).
   */
  onProcessing?: (() => void) | undefined;
}

export interface PeerResponse<T> {
  status: number;
  body: T;
  headers: Record<string, string | string[] | undefined>;
}

/** By how many milliseconds before a server's time for an idle connection is over it isn't used any more (see `announceKeepAlive`). */
export const keepAliveTimeoutThreshold = 1_000;

const answerLimit = 32 * 1024 * 1024;

/** A JSON client for one other service of ours: pooled connections, trace and request ids, our bearer token. */
export class HttpPeer {
  readonly #pool: Pool;
  readonly #options: PeerOptions;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#pool = new Pool(options.origin, {
      connections: options.connections ?? 32,
      keepAliveTimeout: 30_000,
      keepAliveTimeoutThreshold,
      connect: { timeout: 2_000 },
      // Each call has a limit of its own (`exchange`). These would wake the process twice a second while an answer is waited for.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Resolves with whatever the peer answered, errors included.
   * @throws ServiceUnavailable when there is no answer in time, or the answer is 502, 503 or 504
   */
  async request<T>(call: PeerRequest): Promise<PeerResponse<T>> {
    if (call.untraced) return this.#authorized<T>(call);
    return withSpan(
      `${call.method} ${this.#options.name}`,
      {
        kind: SpanKind.CLIENT,
        attributes: { 'peer.service': this.#options.name, 'http.request.method': call.method },
      },
      () => this.#authorized<T>(call),
    );
  }

  async #authorized<T>(call: PeerRequest): Promise<PeerResponse<T>> {
    const token = await this.#options.token?.();
    const first = await this.#send<T>(call, this.#headers(call, token));
    const response = first.status === 401 ? await this.#sendAnew(call, token, first) : first;
    if (response.status === 502 || response.status === 503 || response.status === 504) {
      throw new ServiceUnavailable(this.#options.name, { cause: `answered ${response.status}` });
    }
    return response;
  }

  /**
   * Resolves when the peer's process runs.
   * @throws ServiceUnavailable when it doesn't
   */
  async alive(): Promise<void> {
    const { status } = await this.#send({ method: 'GET', path: '/livez', timeoutMs: 1_500 }, {});
    if (status !== 200) throw new ServiceUnavailable(this.#options.name, { cause: `answered ${status}` });
  }

  /** Once more with a newer token, if there is one: whoever refuses a token has done nothing yet. */
  async #sendAnew<T>(
    call: PeerRequest,
    refused: string | undefined,
    answer: PeerResponse<T>,
  ): Promise<PeerResponse<T>> {
    const token = refused === undefined ? undefined : await this.#options.token?.(refused);
    return token === refused ? answer : this.#send<T>(call, this.#headers(call, token));
  }

  #headers(call: PeerRequest, token: string | undefined): Record<string, string> {
    const headers: Record<string, string> = { accept: 'application/json', ...call.headers };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    const { neighbours } = this.#options;
    if (neighbours) headers[neighbourHeader] = neighbours.value();
    if (call.form) headers['content-type'] = 'application/x-www-form-urlencoded';
    else if (call.body !== undefined) headers['content-type'] ??= 'application/json';
    if (call.onProcessing) headers.prefer = 'processing';
    const requestId = currentRequestId();
    if (requestId) headers['x-request-id'] = requestId;
    // For whom it is asked: the neighbour believes it where this process is one of its trusted proxies.
    const address = currentAddress();
    if (address) headers['x-forwarded-for'] ??= address;
    const userAgent = currentUserAgent();
    if (userAgent) headers['user-agent'] ??= userAgent;
    const traceparent = currentTraceparent();
    if (traceparent) headers.traceparent = traceparent;
    return headers;
  }

  async #send<T>(call: PeerRequest, headers: Record<string, string>): Promise<PeerResponse<T>> {
    const again = call.idempotent ?? (call.method !== 'POST' && call.method !== 'PATCH');
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#once<T>(call, headers);
      } catch (error) {
        // A kept-alive connection may close just as we write to it.
        const unanswered = isUnsent(error) || (again && brokeOff(error));
        if (attempt === 0 && unanswered && !call.signal?.aborted) continue;
        throw new ServiceUnavailable(this.#options.name, { cause: error });
      }
    }
  }

  async #once<T>(call: PeerRequest, headers: Record<string, string>): Promise<PeerResponse<T>> {
    const timeout = call.timeoutMs ?? this.#options.timeoutMs ?? 5_000;
    const query = call.query && definedOnly(call.query);
    const answer = await exchange(
      this.#pool,
      {
        method: call.method,
        path: call.path,
        ...(query ? { query } : {}),
        headers,
        body: call.form ? call.form.toString() : call.body === undefined ? null : JSON.stringify(call.body),
      },
      { timeoutMs: timeout, signal: call.signal, onProcessing: call.onProcessing },
    );
    const type = String(answer.headers['content-type'] ?? '');
    const body = (type.includes('json') && answer.text !== '' ? JSON.parse(answer.text) : answer.text) as T;
    return { status: answer.status, body, headers: answer.headers };
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/**
 * One exchange, the answer gathered as it comes. undici's own `request` makes a stream of each answer, which for a few
 * hundred bytes costs more than everything else here.
 */
function exchange(
  pool: Pool,
  call: Dispatcher.DispatchOptions,
  { timeoutMs, signal, onProcessing }: Pick<PeerRequest, 'signal' | 'onProcessing'> & { timeoutMs: number },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Answer['headers'] = {};
    const chunks: Buffer[] = [];
    let size = 0;
    let over = false;

    const end = (): void => {
      over = true;
      inTime();
      signal?.removeEventListener('abort', abandon);
    };
    const giveUp = (reason: Error): void => {
      if (over) return;
      end();
      controller?.abort(reason);
      reject(reason);
    };
    const abandon = (): void => giveUp(new Error('given up'));
    const inTime = timeLimit(timeoutMs, () => giveUp(new Error(`no answer within ${timeoutMs} ms`)));
    signal?.addEventListener('abort', abandon);
    if (signal?.aborted) return abandon();

    pool.dispatch(call, {
      onRequestStart(started) {
        controller = started;
        // Given up while it waited for a connection: it must not be sent any more.
        if (over) started.abort(new Error('given up'));
      },
      onResponseStart(_, code, received) {
        // 1xx: the answer is still to come.
        if (code === 102) onProcessing?.();
        if (code < 200) return;
        status = code;
        headers = received;
      },
      onResponseData(_, chunk) {
        size += chunk.length;
        if (size > answerLimit) giveUp(new Error('the answer is too large'));
        else chunks.push(chunk);
      },
      onResponseEnd() {
        if (over) return;
        end();
        const [only = Buffer.alloc(0)] = chunks;
        const whole = chunks.length > 1 ? Buffer.concat(chunks) : only;
        resolve({ status, headers, text: whole.toString('utf8') });
      },
      onResponseError: (_, error) => giveUp(error),
    });
  });
}

const definedOnly = (query: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code;

const brokeOff = (error: unknown): boolean =>
  error instanceof errors.SocketError || codeOf(error) === 'ECONNRESET' || codeOf(error) === 'EPIPE';
