import { type Dispatcher, errors, Pool } from 'undici';
import { ServiceUnavailable } from '../errors.ts';
import { neighbourHeader } from '../http/neighbours.ts';
import type { Neighbours } from '../kit/kit.ts';
import { timeLimit } from '../time/time-limit.ts';
import { currentAddress, currentRequestId, currentUserAgent } from '../tracing/request-scope.ts';
import { currentTraceparent, SpanKind, withSpan } from '../tracing/tracing.ts';
import { isUnsent } from './unsent.ts';

export interface PeerOptions {
  /** Name of the other service in errors, spans and logs. */
  name: string;
  /** Origin of the service, such as http://127.0.0.1:4001. */
  origin: string;
  /** Returns the bearer token of a call. Given a rejected token, it may return a newer one. */
  token?: (refused?: string) => Promise<string>;
  /** Proves to the other service that calls come from an Ostiary process. */
  neighbours?: Pick<Neighbours, 'value'> | undefined;
  /** Default timeout of a call in milliseconds. */
  timeoutMs?: number;
  connections?: number;
}

export interface PeerRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with the leading slash. Encode parameters with `encodeURIComponent`. */
  path: string;
  query?: Record<string, string | undefined>;
  /** JSON body; `form` for a form. */
  body?: unknown;
  form?: URLSearchParams;
  headers?: Record<string, string>;
  /** Whether the call may be retried after a broken connection. Default true for GET, PUT and DELETE. */
  idempotent?: boolean;
  timeoutMs?: number;
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** Polling call that starts no trace. */
  untraced?: boolean;
  /**
   * Called when the peer has applied the request and only the response is pending (102, RFC 2518 §10.1),
   * which it reports to callers that prefer it (RFC 7240 §2).
   */
  onProcessing?: (() => void) | undefined;
}

export interface PeerResponse<T> {
  status: number;
  body: T;
  headers: Record<string, string | string[] | undefined>;
}

/**
 * Margin in ms before the server's idle timeout in which a connection is not reused (see
 * `announceKeepAlive`).
 */
export const keepAliveTimeoutThreshold = 1_000;

const answerLimit = 32 * 1024 * 1024;

/** JSON client for one other service: pooled connections, trace and request ids, bearer token. */
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
      // Each call has its own timeout (`exchange`). These would wake the process twice a second while a
      // response is pending.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Returns the response of the peer, including error responses.
   * @throws ServiceUnavailable on timeout, or on status 502, 503 or 504
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
   * Resolves if the peer's process runs.
   * @throws ServiceUnavailable otherwise
   */
  async alive(): Promise<void> {
    const { status } = await this.#send({ method: 'GET', path: '/livez', timeoutMs: 1_500 }, {});
    if (status !== 200) throw new ServiceUnavailable(this.#options.name, { cause: `answered ${status}` });
  }

  /** Retries with a newer token, if there is one: a request rejected for its token has had no effect. */
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
    // The original client's address; the peer trusts it if this process is one of its trusted proxies.
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
        // A persistent connection may be closed while the request is written.
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
 * Sends one request and collects its response. undici's own `request` creates a stream per response, which
 * for a few hundred bytes costs more than everything else here.
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
        // Aborted while it waited for a connection; it must not be sent.
        if (over) started.abort(new Error('given up'));
      },
      onResponseStart(_, code, received) {
        // 1xx: the final response follows.
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
