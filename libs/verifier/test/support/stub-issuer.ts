import { createHmac, randomBytes, randomUUID, type webcrypto } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { type OstiaryOptions, ostiary, type Verify } from '../../src/index.ts';
import type { FeedEntry } from '../../src/server/feed-page.ts';

export const audience = 'https://orders.example';
export const clientId = 'orders-api';
export const clientSecret = 'secret of the orders api';

interface Failure {
  status: number;
  body?: object;
  headers?: Record<string, string>;
}

type Claims = Record<string, unknown>;

/** The endpoints of an issuer that a verifier uses, over HTTP. */
export class StubIssuer {
  /** Requests by endpoint. */
  readonly requests: { endpoint: string; url: URL; headers: IncomingMessage['headers']; body: string }[] = [];
  /** Response of an endpoint instead of its own; `cut` closes the connection. */
  readonly failures = new Map<string, Failure | 'cut'>();
  /** Answers of further endpoints, and of known ones instead of their own. */
  readonly endpoints = new Map<string, (form: URLSearchParams) => object | Promise<object>>();
  /** Further metadata. */
  metadata: object = {};
  /** Claims of opaque tokens. */
  readonly opaque = new Map<string, Claims>();
  /** Result of introspection for JWTs. */
  active = true;
  pageSize = 1_000;
  digestKey = randomBytes(32);
  /** Changed to make the server reject earlier cursors. */
  cursorPrefix = 'c';
  hasFeed = true;
  readonly #entries: FeedEntry[] = [];
  readonly #held = new Set<() => void>();
  readonly #verifiers: Verify[] = [];
  #keys: { kid: string; privateKey: webcrypto.CryptoKey; jwk: JWK }[] = [];
  #server: Server | undefined;
  #origin = '';

  async start(): Promise<this> {
    await this.rotate();
    this.#server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    for (const verify of this.#verifiers) verify.stop();
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  get issuer(): string {
    return `${this.#origin}/t/acme`;
  }

  /** Returns a verifier that is stopped with the issuer. */
  verifier(options: Partial<OstiaryOptions> = {}): Verify {
    const verify = ostiary({ issuer: this.issuer, audience, clientId, clientSecret, ...options });
    this.#verifiers.push(verify);
    return verify;
  }

  /** Replaces the signing key. */
  async rotate(): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const kid = randomUUID();
    const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
    this.#keys = [{ kid, privateKey, jwk }];
  }

  get kid(): string {
    return this.#keys[0]?.kid ?? '';
  }

  /** Returns a signed access token of a user. Undefined claims are omitted. */
  token(claims: Claims = {}, header: Record<string, unknown> = {}): Promise<string> {
    const [key] = this.#keys;
    if (!key) throw new Error('the issuer has no key');
    const now = Math.floor(Date.now() / 1_000);
    return new SignJWT({
      iss: this.issuer,
      aud: audience,
      sub: 'user-1',
      client_id: 'shop',
      jti: randomUUID(),
      iat: now,
      exp: now + 600,
      sub_epoch: 1,
      client_epoch: 1,
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  async bearer(claims: Claims = {}, header: Record<string, unknown> = {}): Promise<string> {
    return `Bearer ${await this.token(claims, header)}`;
  }

  /** Adds an entry to the feed, and answers held requests. */
  revoke(kind: string, value?: string, rest: Partial<FeedEntry> = {}): void {
    const digest = createHmac('sha256', this.digestKey)
      .update(`${kind}:${value}`)
      .digest()
      .subarray(0, 16)
      .toString('base64url');
    const expires_at = Math.floor(Date.now() / 1_000) + 900;
    this.#entries.push({ kind, ...(value === undefined ? {} : { digest }), expires_at, ...rest });
    for (const answer of this.#held) answer();
  }

  /** Number of held requests. */
  get held(): number {
    return this.#held.size;
  }

  /** Removes all entries, as after a change of the digest key. */
  clear(): void {
    this.#entries.length = 0;
  }

  countOf(endpoint: string): number {
    return this.requests.filter((request) => request.endpoint === endpoint).length;
  }

  /** Closes connections, so that held requests fail. */
  cut(): void {
    this.#server?.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.#origin);
    const endpoint = url.pathname
      .replace('/t/acme/', '')
      .replace('/.well-known/oauth-authorization-server/t/acme', 'metadata');
    let body = '';
    for await (const chunk of request) body += chunk;
    this.requests.push({ endpoint, url, headers: request.headers, body });
    const failure = this.failures.get(endpoint) ?? this.failures.get('*');
    if (failure === 'cut') return void request.socket.destroy();
    if (failure) return send(response, failure.status, failure.body ?? {}, failure.headers);
    if (endpoint === 'metadata') return send(response, 200, this.#metadata());
    if (endpoint === 'jwks') return send(response, 200, { keys: this.#keys.map(({ jwk }) => jwk) });
    if (!isAuthenticated(request)) return send(response, 401, { error: 'invalid_client' });
    const answer = this.endpoints.get(endpoint);
    if (answer) {
      const content = await answer(new URLSearchParams(body));
      return send(response, 'error' in content ? 400 : 200, content);
    }
    if (endpoint === 'introspect') return send(response, 200, this.#introspection(body));
    if (endpoint === 'revocations') return this.#feed(request, url, response);
    send(response, 404, {});
  }

  #metadata(): object {
    return {
      issuer: this.issuer,
      jwks_uri: `${this.issuer}/jwks`,
      introspection_endpoint: `${this.issuer}/introspect`,
      ...this.metadata,
      ...(this.hasFeed ? { revocation_feed_endpoint: `${this.issuer}/revocations` } : {}),
    };
  }

  #introspection(body: string): object {
    const token = new URLSearchParams(body).get('token') ?? '';
    if (token.startsWith('ost_')) return { active: this.opaque.has(token), ...this.opaque.get(token) };
    return { active: this.active };
  }

  async #feed(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    if (url.searchParams.get('audience') !== audience)
      return send(response, 400, { error: 'invalid_target' });
    const cursor = url.searchParams.get('after') ?? `${this.cursorPrefix}0`;
    const start = Number(cursor.slice(this.cursorPrefix.length));
    const [, seconds] = /^wait=(\d+)$/.exec(String(request.headers.prefer)) ?? [];
    const heldMs = seconds === undefined ? 0 : Number(seconds) * 1_000;
    const isKnown = (): boolean => cursor.startsWith(this.cursorPrefix);
    if (heldMs > 0 && isKnown() && start >= this.#entries.length) await this.#hold(response, heldMs);
    if (!isKnown()) return send(response, 400, { error: 'invalid_request' });
    const end = Math.min(start + this.pageSize, this.#entries.length);
    const more = end < this.#entries.length;
    send(response, 200, {
      audience,
      digest_key: this.digestKey.toString('base64url'),
      entries: this.#entries.slice(start, end),
      cursor: `${this.cursorPrefix}${end}`,
      more,
      ...(more ? {} : { complete_after_ms: 0 }),
    });
  }

  #hold(response: ServerResponse, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#held.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms).unref();
      this.#held.add(end);
      response.once('close', end);
    });
  }
}

/** RFC 6749 §2.3.1: both parts are form-encoded. */
function isAuthenticated({ headers: { authorization = '' } }: IncomingMessage): boolean {
  const [scheme, encoded = ''] = authorization.split(' ');
  const parts = atob(encoded).replaceAll('+', '%20').split(':').map(decodeURIComponent);
  return scheme === 'Basic' && parts.join(':') === `${clientId}:${clientSecret}`;
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
