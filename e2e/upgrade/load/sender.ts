import { Agent, errors, request } from 'undici';

/** What came of one request. */
export interface Reply {
  /** Undefined: there was no answer. */
  status: number | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON came back
  body: any;
  /** Why there was no answer, as the client's own error says. */
  failed?: string;
}

export interface Sent {
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
}

/** Milliseconds until nobody waits for an answer any longer. */
const patienceMs = 15_000;

/**
 * What HTTP clients are that keep connections and take the server's word for how long (RFC 2068 §19.7.1.1). It repeats nothing: what fails
 * once has failed.
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
