import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as plain } from 'node:http';
import { request as encrypted, Agent as TlsAgent } from 'node:https';

export interface HttpRequest {
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Whether the process may end before the response. */
  isBackground?: boolean;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Parsed JSON; undefined for another content. */
  body: unknown;
}

/** Far above the largest page of the feed. */
const maxBodyBytes = 8_388_608;

/**
 * JSON over HTTP without redirects. Node's own client, because the connection of a request by `fetch` keeps a
 * process running.
 */
export class HttpClient {
  readonly #plain = new Agent({ keepAlive: true });
  readonly #encrypted = new TlsAgent({ keepAlive: true });

  /** @throws Error if there is no complete response in time */
  request(address: string, o: HttpRequest): Promise<HttpResponse> {
    const deadline = new AbortController();
    const end = (): void => deadline.abort(new Error(`no response in ${o.timeoutMs} ms`));
    const timer = setTimeout(end, o.timeoutMs);
    if (o.isBackground) timer.unref();
    const signal = o.signal ? AbortSignal.any([o.signal, deadline.signal]) : deadline.signal;
    return this.#send(new URL(address), o, signal).finally(() => clearTimeout(timer));
  }

  #send(url: URL, o: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const isPlain = url.protocol === 'http:';
    return new Promise<HttpResponse>((resolve, reject) => {
      const request = (isPlain ? plain : encrypted)(url, {
        method: o.method,
        agent: isPlain ? this.#plain : this.#encrypted,
        headers: { accept: 'application/json', ...o.headers },
        signal,
      });
      if (o.isBackground) request.once('socket', (socket) => socket.unref());
      request.once('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle connection while it was reused.
        if (request.reusedSocket && error.code === 'ECONNRESET') resolve(this.#send(url, o, signal));
        else reject(error);
      });
      request.once('response', (response) => {
        contentOf(response).then((body) => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        }, reject);
      });
      request.end(o.body);
    });
  }

  close(): void {
    this.#plain.destroy();
    this.#encrypted.destroy();
  }
}

async function contentOf(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
