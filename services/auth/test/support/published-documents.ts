import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { trustedCertificate } from './mcp/trusted-certificate.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Returns the document of a native client, with changed members; undefined omits one. */
export const documentOf = (url: string, changes: Record<string, unknown> = {}): Record<string, unknown> => {
  const { origin } = new URL(url);
  return {
    client_id: url,
    client_name: 'Assistant',
    client_uri: origin,
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback', `${origin}/callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...changes,
  };
};

/** https server of a publisher of client metadata documents. */
export class PublishedDocuments {
  readonly hits: string[] = [];
  readonly #server: Server;
  readonly #answers = new Map<string, Answer>();

  constructor() {
    this.#server = createServer(trustedCertificate(), (request, response) => {
      const path = request.url ?? '';
      this.hits.push(path);
      const answer = this.#answers.get(path);
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Host of the documents, as a policy names it. */
  get host(): string {
    return `localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  get origin(): string {
    return `https://${this.host}`;
  }

  answer(path: string, how: Answer): void {
    this.#answers.set(path, how);
  }

  withdraw(path: string): void {
    this.#answers.delete(path);
  }

  asked(path: string): number {
    return this.hits.filter((hit) => hit === path).length;
  }

  /**
   * Publishes a document and returns its URL, which is the id of the client.
   * @param changes members that differ from those of a native client; undefined omits one
   * @param cacheControl header of the response; by default cached for the minimum lifetime
   */
  publish(path: string, changes: Record<string, unknown> = {}, cacheControl = 'no-cache'): string {
    const url = `${this.origin}${path}`;
    this.serve(path, JSON.stringify(documentOf(url, changes)), 'application/json', cacheControl);
    return url;
  }

  serve(path: string, text: string, type = 'application/json', cacheControl = 'no-cache'): void {
    this.answer(path, (_request, response) => {
      response.setHeader('content-type', type).setHeader('cache-control', cacheControl).end(text);
    });
  }
}
