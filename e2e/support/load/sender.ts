import { Agent, errors, request } from 'undici';

/** Result of one request. */
export interface Reply {
  /** Undefined if there was no response. */
  status: number | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON of a response
  body: any;
  /** Error of the client if there was no response. */
  failed?: string;
}

export interface Sent {
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
}

/** Timeout of a request in ms. */
const patienceMs = 15_000;

/**
 * HTTP client with persistent connections that honours the server's `Keep-Alive: timeout` (RFC 2068 §19.7.1.1). It does
 * not retry.
 */
export class Sender {
  readonly #agent = new Agent({ connections: 64, pipelining: 1, keepAliveTimeoutThreshold: 1_000 });

  async send({ url, method, headers, json, form }: Sent): Promise<Reply> {
    const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json);
    const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
    try {
      const answer = await request(url, {
        dispatcher: this.#agent,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
        body: body ?? null,
        headersTimeout: patienceMs,
        bodyTimeout: patienceMs,
      });
      const text = await answer.body.text();
      const isJson = String(answer.headers['content-type'] ?? '').includes('json');
      return { status: answer.statusCode, body: isJson && text !== '' ? JSON.parse(text) : text };
    } catch (error) {
      return { status: undefined, body: undefined, failed: reasonOf(error) };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return error instanceof errors.UndiciError ? `${code}: ${message}` : (code ?? String(message));
}
