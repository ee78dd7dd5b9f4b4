import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { platformTenant } from '@ostiary/access';
import { Issuer, publicOrigin } from '@ostiary/access/testing';

interface TokenOptions {
  subject?: string;
  clientId?: string;
  scopes?: readonly string[];
  /** Unix seconds of the sign-in. */
  authTime?: number;
  /** Class of the sign-in. */
  acr?: string;
  /** The client that acts for the subject. */
  actor?: string;
}

/** The directory's view of an authorization server: keys, service tokens, an empty revocation feed. */
export class FakeIssuer {
  readonly publicOrigin = publicOrigin;
  /** Returns the event ids that the consumers have not received. */
  missing: (ids: string[]) => string[] = () => [];
  readonly #issuer = new Issuer();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Returns a token of a user or a client of the tenant. */
  token(
    tenant: string,
    { subject, clientId = 'app', scopes = [], authTime, acr, actor }: TokenOptions = {},
  ): string {
    return this.#issuer.token({
      tenant,
      subject: subject ?? clientId,
      client: clientId,
      scopes,
      ...(authTime !== undefined && { authTime }),
      ...(acr !== undefined && { acr }),
      ...(actor !== undefined && { actor }),
    });
  }

  /** Returns a token of one of the platform's services, for the internal surface of another. */
  serviceToken(client: string, service = 'directory'): string {
    return this.#issuer.serviceToken(client, service);
  }

  /** Returns a token of the installation's operator for the graph: of all tenants, or of one. */
  operatorToken(tenant?: string, scopes: readonly string[] = ['tenants:read', 'tenants:write']): string {
    const graph = tenant === undefined ? '/graphql' : `/t/${tenant}/graphql`;
    const audience = `${publicOrigin}${graph}`;
    return this.#issuer.token({ tenant: platformTenant, subject: 'operator', scopes, audience });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const path = (request.url ?? '').split('?')[0] ?? '';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(this.#answerTo(path, body)));
  }

  #answerTo(path: string, body: string): object {
    if (path.endsWith('/jwks')) return this.#issuer.jwks;
    if (path === '/t/platform/token') {
      const audience = new URLSearchParams(body).get('resource') ?? '';
      return {
        access_token: this.#issuer.token({ tenant: platformTenant, subject: 'directory', audience }),
        token_type: 'Bearer',
        expires_in: 600,
      };
    }
    if (path === '/internal/v1/revocations') return { cursor: '0', entries: [], maxSeq: '0' };
    if (path === '/internal/v1/events/missing') return { missing: this.missing(JSON.parse(body).ids) };
    return { active: true };
  }
}
