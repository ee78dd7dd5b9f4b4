import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { type Answering, TestReceiver } from './receiving.ts';

const event = 'http://schemas.openid.net/event/backchannel-logout';

export interface LogoutToken extends JWTPayload {
  sid?: string;
}

/** Registration of a relying party. */
export interface Registered {
  issuer: string;
  clientId: string;
  /** `id_token_signed_response_alg` of the client. */
  alg: string;
  /** URL of the issuer's keys. */
  jwksUri: string;
}

/** Back-channel logout endpoint of a relying party. It validates tokens by the steps of Back-Channel Logout §2.6. */
export class LogoutReceiver {
  readonly #receiver = new TestReceiver();
  readonly #seen = new Set<string>();
  /** Valid tokens in order of arrival. */
  readonly tokens: LogoutToken[] = [];
  /** Reasons of rejected tokens. */
  readonly refused: string[] = [];
  registered: Registered | undefined;

  async start(): Promise<this> {
    await this.#receiver.start();
    this.#receiver.answer = (request, response) => {
      this.validate(request.body, request.headers['content-type']).then(
        (token) => {
          this.tokens.push(token);
          response.writeHead(200, { 'cache-control': 'no-store' }).end();
        },
        (error: Error) => {
          this.refused.push(error.message);
          response.writeHead(400, { 'cache-control': 'no-store' }).end();
        },
      );
    };
    return this;
  }

  get uri(): string {
    return this.#receiver.url('/backchannel-logout');
  }

  /** Sets the response to later requests; `raw` has the received tokens. */
  answerBy(answer: Answering): void {
    this.#receiver.answer = answer;
  }

  get raw(): string[] {
    return this.#receiver.received.map(({ body }) => new URLSearchParams(body).get('logout_token') ?? '');
  }

  /** Claims of all received tokens, valid or not. */
  get claims(): LogoutToken[] {
    return this.raw.map((token) => decodeJwt(token));
  }

  /**
   * Validates a request (§2.6).
   * @throws Error with the reason
   */
  async validate(body: string, contentType: string | undefined): Promise<LogoutToken> {
    const { registered } = this;
    if (!registered) throw new Error('not registered');
    if (contentType !== 'application/x-www-form-urlencoded') throw new Error('not a form');
    const form = new URLSearchParams(body);
    const token = form.get('logout_token');
    if (token === null || [...form.keys()].length !== 1) throw new Error('not one logout_token');
    // Signature by a key of the issuer with the algorithm of ID tokens; iss, aud, iat and exp as in an ID token.
    const { payload } = await jwtVerify<LogoutToken>(token, createRemoteJWKSet(new URL(registered.jwksUri)), {
      issuer: registered.issuer,
      audience: registered.clientId,
      algorithms: [registered.alg],
      typ: 'logout+jwt',
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      maxTokenAge: '2 minutes',
    });
    if (payload.sub === undefined && payload.sid === undefined) throw new Error('about nobody');
    const { events } = payload as { events?: Record<string, unknown> };
    if (JSON.stringify(events?.[event]) !== '{}') throw new Error('no logout event');
    if (Object.hasOwn(payload, 'nonce')) throw new Error('it could pass for an ID token');
    if (this.#seen.has(payload.jti ?? '')) throw new Error('seen before');
    this.#seen.add(payload.jti ?? '');
    return payload;
  }

  stop(): void {
    this.#receiver.stop();
  }
}
