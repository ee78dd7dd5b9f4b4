import type { webcrypto } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWTPayload, SignJWT } from 'jose';
import type { Revocation, RevocationPage } from '../src/index.ts';

export const publicOrigin = 'http://id.test';

export interface TokenClaims extends JWTPayload {
  client_id?: string;
}

/** An authorization server reduced to what a verifier sees of it, over real HTTP. */
export class TestIssuer {
  readonly feed: Revocation[] = [];
  readonly calls: string[] = [];
  /** What introspection says. */
  active = true;
  down = false;
  /** Entries in one page of the feed. */
  pageSize = 1_000;
  /** Fails after so many more pages of the feed. */
  pagesLeft = Number.POSITIVE_INFINITY;
  readonly #keys = new Map<string, { kid: string; privateKey: webcrypto.CryptoKey; jwks: JSONWebKeySet }>();
  #server: Server | undefined;

  async start(tenants: readonly string[]): Promise<string> {
    for (const tenant of tenants) await this.rotate(tenant);
    this.#server = createServer((request, response) => {
      const url = request.url ?? '';
      this.calls.push(`${request.method} ${url}`);
      if (this.down) return void request.socket.destroy();
      const answer = this.#answer(url);
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { error: 'not_found' }));
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
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
