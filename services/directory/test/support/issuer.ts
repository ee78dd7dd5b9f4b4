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

/** An authorization server as far as the directory can see: keys, service tokens, an empty revocation feed. */
export class FakeIssuer {
  readonly publicOrigin = publicOrigin;
  /** Event ids the consumers say they never got. */
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

  /** A token of a person or an app of the tenant. */
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

  /** A token of one of the platform's services, for another's internal surface. */
  serviceToken(client: string, service = 'directory'): string {
    return this.#issuer.serviceToken(client, service);
  }

  /** A token of the installation's operator for the graph: of all, or of one tenant. */
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
