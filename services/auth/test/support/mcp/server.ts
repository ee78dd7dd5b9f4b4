import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { trustedCertificate } from './trusted-certificate.ts';

const metadataPath = '/.well-known/oauth-protected-resource';

/** MCP server that accepts access tokens of one issuer for itself, by the MCP authorization specification. */
export class ProtectedMcpServer {
  readonly #server: Server;
  readonly #issuer: string;
  readonly #fetch: typeof fetch;
  readonly #scope: string;

  /** @param o `fetch`: reaches the issuer; `scope`: required of tokens */
  constructor(o: { issuer: string; fetch: typeof fetch; scope: string }) {
    this.#issuer = o.issuer;
    this.#fetch = o.fetch;
    this.#scope = o.scope;
    this.#server = createServer(trustedCertificate(), (request, response) => {
      this.#answer(request, response).catch(() => response.writeHead(500).end());
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

  /** Audience of its tokens. */
  get identifier(): string {
    return `https://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === metadataPath) {
      const metadata = {
        // Servers write an identifier without a path with or without a slash.
        resource: `${this.identifier}/`,
        authorization_servers: [this.#issuer],
        scopes_supported: [this.#scope, 'offline_access'],
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
      return;
    }
    const user = await this.#userOf(request.headers.authorization);
    if (user === undefined) {
      const challenge = `Bearer resource_metadata="${this.identifier}${metadataPath}"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return;
    }
    const mcp = new McpServer({ name: 'protected', version: '1.0.0' });
    mcp.registerTool('whoami', { description: 'Returns the user.' }, () => ({
      content: [{ type: 'text', text: user }],
    }));
    const transport = new StreamableHTTPServerTransport({});
    await mcp.connect(transport as Parameters<typeof mcp.connect>[0]);
    await transport.handleRequest(request, response);
  }

  async #userOf(authorization: string | undefined): Promise<string | undefined> {
    const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
    if (token === undefined) return undefined;
    const keys = (await (await this.#fetch(`${this.#issuer}/jwks`)).json()) as JSONWebKeySet;
    const expected = { issuer: this.#issuer, audience: this.identifier, typ: 'at+jwt' };
    const verified = await jwtVerify(token, createLocalJWKSet(keys), expected).catch(() => undefined);
    return String(verified?.payload.scope).split(' ').includes(this.#scope)
      ? verified?.payload.sub
      : undefined;
  }
}
