import { randomUUID, type webcrypto } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uuidv7 } from '@ostiary/service';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { RunningAuth } from './running-auth.ts';

export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

/** Issuer that signs assertions and can publish its keys. */
export class Signatory {
  readonly issuer: string;
  readonly jwk: JWK;
  readonly #key: webcrypto.CryptoKey;

  private constructor(issuer: string, jwk: JWK, key: webcrypto.CryptoKey) {
    this.issuer = issuer;
    this.jwk = jwk;
    this.#key = key;
  }

  static async create(issuer: string, alg = 'ES256'): Promise<Signatory> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: randomUUID(), alg, use: 'sig' };
    return new Signatory(issuer, jwk, privateKey);
  }

  get jwks(): { keys: JWK[] } {
    return { keys: [this.jwk] };
  }

  assertion(claims: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: this.issuer, iat: now, exp: now + 300, jti: randomUUID(), ...claims };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    return new SignJWT(given)
      .setProtectedHeader({ alg: this.jwk.alg ?? '', kid: this.jwk.kid ?? '', ...header })
      .sign(this.#key);
  }
}

/** Creates a user that the service has stored. */
export async function person(
  auth: RunningAuth,
  userName: string,
  o: { tenant?: string; active?: boolean; roles?: readonly string[] } = {},
): Promise<string> {
  const id = uuidv7();
  const tenant = o.tenant ?? 'demo';
  await auth.database.sql.query(
    `INSERT INTO auth.subjects (tenant, id, user_name, user_name_key, active, version, profile)
     VALUES ($1, $2, $3, lower($3), $4, 1, $5)`,
    [tenant, id, userName, o.active ?? true, JSON.stringify({ userName, emails: [] })],
  );
  for (const role of o.roles ?? []) {
    await auth.database.sql.query(
      'INSERT INTO auth.role_assignments (tenant, subject_id, role) VALUES ($1, $2, $3)',
      [tenant, id, role],
    );
  }
  return id;
}

/** Directory whose search results the test defines by filter. */
export class SearchableDirectory {
  readonly searches: { tenant: string; filter: string; source?: string }[] = [];
  /** Ids of the results, by filter. */
  readonly found = new Map<string, string[]>();
  available = true;
  #server: Server | undefined;

  async start(): Promise<string> {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const answer = this.available
          ? this.#answer(request.url ?? '', Buffer.concat(chunks).toString())
          : null;
        response.writeHead(answer === null ? 503 : answer === undefined ? 404 : 200, {
          'content-type': 'application/json',
        });
        response.end(JSON.stringify(answer ?? {}));
      });
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer(url: string, body: string): unknown {
    const tenant = /^\/internal\/v1\/tenants\/(demo|rival)(\/Users\/search)?$/.exec(url);
    if (!tenant?.[1]) return undefined;
    if (!tenant[2]) return { id: tenant[1], name: tenant[1], status: 'active' };
    const { filter, source } = JSON.parse(body) as { filter: string; source?: string };
    this.searches.push({ tenant: tenant[1], filter, ...(source === undefined ? {} : { source }) });
    const ids = this.found.get(filter) ?? [];
    return { totalResults: ids.length, Resources: ids.map((id) => ({ id, userName: 'x' })) };
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }
}
