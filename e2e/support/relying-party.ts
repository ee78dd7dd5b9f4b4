import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

export type LogoutClaims = JWTPayload & { sid?: string };

/** A client's endpoint for logout tokens, which it validates as OpenID Connect Back-Channel Logout §2.6 requires. */
export class RelyingParty {
  /** Valid logout tokens in the order of arrival. */
  readonly loggedOut: LogoutClaims[] = [];
  readonly refused: string[] = [];
  /** Handles a request instead of the client; it need not answer. */
  intercept: ((response: ServerResponse) => void) | undefined;
  requests = 0;
  readonly #server = createServer((request, response) => {
    this.requests += 1;
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => (this.intercept ? this.intercept(response) : this.#answer(body, response)));
  });
  #registered: { issuer: string; jwksUri: string; clientId: string } | undefined;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get uri(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/logout`;
  }

  async #answer(body: string, response: ServerResponse): Promise<void> {
    let status = 200;
    try {
      this.loggedOut.push(await this.validate(new URLSearchParams(body).get('logout_token') ?? ''));
    } catch (error) {
      this.refused.push(String(error));
      status = 400;
    }
    response.writeHead(status, { 'cache-control': 'no-store' }).end();
  }

  registeredAs(registered: { issuer: string; jwksUri: string; clientId: string }): void {
    this.#registered = registered;
  }

  async validate(token: string): Promise<LogoutClaims> {
    if (!this.#registered) throw new Error('not registered');
    const { issuer, jwksUri, clientId } = this.#registered;
    const { payload } = await jwtVerify<LogoutClaims>(token, createRemoteJWKSet(new URL(jwksUri)), {
      issuer,
      audience: clientId,
      algorithms: ['RS256'],
      typ: 'logout+jwt',
      requiredClaims: ['iat', 'exp', 'jti'],
      maxTokenAge: '2 minutes',
    });
    if (payload.sub === undefined && payload.sid === undefined) throw new Error('about nobody');
    if (!Object.hasOwn((payload.events ?? {}) as object, logoutEvent)) throw new Error('not a logout token');
    if (Object.hasOwn(payload, 'nonce')) throw new Error('an ID token could pass for it');
    if (this.loggedOut.some(({ jti }) => jti === payload.jti)) throw new Error('seen before');
    return payload;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
