import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const publicOrigin = 'http://id.test';

interface TokenOptions {
  subject?: string;
  clientId?: string;
  scopes?: readonly string[];
}

/** An authorization server as far as the directory can see: keys, service tokens, an empty revocation feed. */
export class FakeIssuer {
  readonly publicOrigin = publicOrigin;
  /** Event ids the consumers say they never got. */
  missing: (ids: string[]) => string[] = () => [];
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
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
  token(tenant: string, { subject, clientId = 'app', scopes = [] }: TokenOptions = {}): string {
    return this.#sign({
      iss: `${publicOrigin}/t/${tenant}`,
      aud: `${publicOrigin}/t/${tenant}`,
      sub: subject ?? clientId,
      client_id: clientId,
      scope: scopes.join(' '),
      client_epoch: 0,
      ...(subject !== undefined && { sub_epoch: 0, sid: randomUUID() }),
    });
  }

  /** A token of one of the platform's services, for another's internal surface. */
  serviceToken(client: string, audience = 'urn:ostiary:service:directory'): string {
    return this.#sign({
      iss: `${publicOrigin}/t/platform`,
      aud: audience,
      sub: client,
      client_id: client,
      scope: '',
    });
  }

  #sign(claims: object): string {
    const now = Math.floor(Date.now() / 1000);
    const header = { alg: 'ES256', typ: 'at+jwt', kid: 'test' };
    const body = { ...claims, iat: now, exp: now + 600, jti: randomUUID() };
    const input = [header, body]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = sign('sha256', Buffer.from(input), {
      key: this.#keys.privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    return `${input}.${signature.toString('base64url')}`;
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
    if (path.endsWith('/jwks')) {
      const jwk = this.#keys.publicKey.export({ format: 'jwk' });
      return { keys: [{ ...jwk, kid: 'test', alg: 'ES256', use: 'sig' }] };
    }
    if (path === '/t/platform/token') {
      const audience = new URLSearchParams(body).get('resource') ?? '';
      return {
        access_token: this.serviceToken('directory', audience),
        token_type: 'Bearer',
        expires_in: 600,
      };
    }
    if (path === '/internal/v1/revocations') return { cursor: '0', entries: [], maxSeq: '0' };
    if (path === '/internal/v1/events/missing') return { missing: this.missing(JSON.parse(body).ids) };
    return { active: true };
  }
}
