import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';

/** State of an MCP client that its user has installed, as the SDK requires it. */
class Installation implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:43217/callback';
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'Assistant',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
  };
  readonly clientMetadataUrl?: string;
  address: URL | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';

  constructor(documentUrl: string | undefined) {
    if (documentUrl !== undefined) this.clientMetadataUrl = documentUrl;
  }

  clientInformation = () => this.#client;
  tokens = () => this.#tokens;
  codeVerifier = () => this.#verifier;
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  redirectToAuthorization(address: URL): void {
    this.address = address;
  }
}

/** MCP client of the official SDK. */
export class McpClient {
  readonly installation: Installation;
  readonly #server: URL;
  readonly #fetch: typeof fetch;

  /** @param o `fetch`: reaches the server and its issuer; `documentUrl`: of its metadata document, if it has one */
  constructor(o: { server: string; fetch: typeof fetch; documentUrl?: string }) {
    this.#server = new URL(o.server);
    this.#fetch = o.fetch;
    this.installation = new Installation(o.documentUrl);
  }

  /** Calls a tool without arguments and returns its text. @throws UnauthorizedError */
  async call(name: string): Promise<string> {
    const client = new Client({ name: 'assistant', version: '1.0.0' });
    await client.connect(this.#transport() as Parameters<typeof client.connect>[0]);
    try {
      const { content } = await client.callTool({ name });
      return (content as { text: string }[])[0]?.text ?? '';
    } finally {
      await client.close();
    }
  }

  /** Begins the authorization that the server requires, and returns its address for the browser of the user. */
  async addressOfAuthorization(): Promise<URL> {
    const failure = await this.call('whoami').catch((error: unknown) => error);
    const { address } = this.installation;
    if (!(failure instanceof UnauthorizedError) || !address) throw failure;
    return address;
  }

  async finish(answer: URL): Promise<void> {
    await this.#transport().finishAuth(answer.searchParams.get('code') ?? '');
  }

  #transport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(this.#server, {
      authProvider: this.installation,
      fetch: (address, init) => this.#fetch(address, init),
    });
  }
}
