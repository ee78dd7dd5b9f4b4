import type { webcrypto } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWTPayload, SignJWT } from 'jose';
import type { Revocation, RevocationPage } from '../src/index.ts';

export const publicOrigin = 'http://id.test';

export interface TokenClaims extends JWTPayload {
  client_id?: string;
}

/** The parts of an authorization server that a verifier uses, over real HTTP. */
export class TestIssuer {
  readonly feed: Revocation[] = [];
  readonly calls: string[] = [];
  /** Result of introspection. */
  active = true;
  down = false;
  /** Entries per page of the feed. */
  pageSize = 1_000;
  /** Number of pages of the feed before requests fail. */
  pagesLeft = Number.POSITIVE_INFINITY;
  /** Whether requests may wait for new entries (RFC 7240 §4.3); and whether new entries do not end the wait. */
  lettingWait = true;
  deaf = false;
  /** Stated freshness after a wait without entries; default: half of the wait. */
  completeAfterMs: number | undefined;
  readonly #waiting = new Set<() => void>();
  readonly #keys = new Map<string, { kid: string; privateKey: webcrypto.CryptoKey; jwks: JSONWebKeySet }>();
  #server: Server | undefined;

  async start(tenants: readonly string[]): Promise<string> {
    for (const tenant of tenants) await this.rotate(tenant);
    this.#server = createServer((request, response) => {
      const url = request.url ?? '';
      this.calls.push(`${request.method} ${url}`);
      if (this.down) return void request.socket.destroy();
      const closed = new AbortController();
      response.on('close', () => closed.abort());
      void this.#waited(url, request.headers.prefer, closed.signal).then((answer) => {
        response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer ?? { error: 'not_found' }));
      });
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Adds to the feed, and notifies waiting requests. */
  add(entry: Revocation): void {
    this.feed.push(entry);
    if (this.deaf) return;
    for (const tell of this.#waiting) tell();
  }

  cut(): void {
    this.#server?.closeAllConnections();
  }

  async #waited(url: string, prefer: unknown, closed: AbortSignal): Promise<unknown> {
    const answer = this.#answer(url);
    const [, seconds] = /^wait=(\d+)$/.exec(String(prefer)) ?? [];
    if (!this.lettingWait || seconds === undefined || !answer) return answer;
    if ((answer as RevocationPage).entries.length > 0) return answer;
    const ms = Number(seconds) * 1_000;
    const isWoken = await new Promise<boolean>((resolve) => {
      const tell = (): void => {
        this.#waiting.delete(tell);
        resolve(true);
      };
      this.#waiting.add(tell);
      const end = (): void => {
        this.#waiting.delete(tell);
        resolve(false);
      };
      setTimeout(end, ms).unref();
      closed.addEventListener('abort', end);
    });
    return isWoken ? this.#answer(url) : { ...answer, completeAfterMs: this.completeAfterMs ?? ms / 2 };
  }

  #answer(url: string): unknown {
    const jwks = /^\/t\/([^/]+)\/jwks$/.exec(url);
    if (jwks) return this.#keys.get(jwks[1] ?? '')?.jwks;
    if (url === '/t/platform/token') return { access_token: 'service-token', expires_in: 300 };
    if (url === '/internal/v1/introspect') return { active: this.active };
    if (url.startsWith('/internal/v1/revocations')) {
      const after = Number(new URL(url, 'http://x').searchParams.get('after') ?? 0);
      this.pagesLeft -= 1;
      if (this.pagesLeft < 0) return undefined;
      const end = Math.min(after + this.pageSize, this.feed.length);
      const page: RevocationPage = {
        cursor: String(end),
        entries: this.feed.slice(after, end),
        maxSeq: String(this.feed.length),
        more: end < this.feed.length,
      };
      return page;
    }
    return undefined;
  }

  async rotate(tenant: string): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const kid = `${tenant}-${this.#keys.size}-${Math.random()}`;
    const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' };
    this.#keys.set(tenant, { kid, privateKey, jwks: { keys: [jwk] } });
  }

  async sign(
    tenant: string,
    claims: TokenClaims = {},
    header: Record<string, unknown> = {},
  ): Promise<string> {
    const key = this.#keys.get(tenant);
    if (!key) throw new Error(`no such tenant: ${tenant}`);
    const issuer = `${publicOrigin}/t/${tenant}`;
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({
      iss: issuer,
      aud: issuer,
      sub: 'user-1',
      client_id: 'web',
      jti: `jti-${Math.random()}`,
      iat: now,
      exp: now + 600,
      sub_epoch: 0,
      client_epoch: 0,
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  privateKey(tenant: string): webcrypto.CryptoKey {
    const key = this.#keys.get(tenant);
    if (!key) throw new Error(`no such tenant: ${tenant}`);
    return key.privateKey;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}
