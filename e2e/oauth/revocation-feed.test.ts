import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { type DemoTenant, runningDemo, unique } from '../support/demo.ts';
import { ScimClient } from '../support/scim.ts';
import { authorize, discoverOnce, redeem } from '../support/sign-in.ts';
import { type Credentials, registered } from '../verifier/registered.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
const resource = `https://${unique('orders')}.example`;

interface Entry {
  kind: string;
  digest?: string;
  epoch?: number;
}

interface Page {
  digest_key: string;
  entries: Entry[];
  cursor: string;
  more: boolean;
  complete_after_ms?: number;
}

const server = (of: DemoTenant): Promise<Credentials> =>
  registered(demo, of, { kind: 'MACHINE', protectedResources: [resource] });

/**
 * A company API as docs/reference/revocation-feed.md describes it: it verifies tokens locally, holds a request to the
 * feed open, and asks the authorization server about no token.
 */
class OrdersApi {
  readonly #issuer: string;
  readonly #feed: string;
  readonly #authorization: string;
  readonly #keys: ReturnType<typeof createRemoteJWKSet>;
  readonly #server: Server;
  readonly #stop = new AbortController();
  readonly #entries: Entry[] = [];
  #page: Page | undefined;
  #following: Promise<void> = Promise.resolve();

  constructor(issuer: string, feed: string, { clientId, clientSecret }: Credentials) {
    this.#issuer = issuer;
    this.#feed = feed;
    this.#authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
    this.#keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
    this.#server = createServer((request, response) => {
      const [, token = ''] = request.headers.authorization?.split(' ') ?? [];
      void this.#accepts(token).then((isValid) => response.writeHead(isValid ? 200 : 401).end());
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    // Without the feed it accepts no token.
    this.#following = this.#follow().catch(() => {
      this.#page = undefined;
    });
    await eventually(() => this.#page?.more === false);
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#following;
    this.#server.close();
  }

  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const query = this.#page ? `?${new URLSearchParams({ after: this.#page.cursor })}` : '';
      const response = await fetch(this.#feed + query, {
        headers: { authorization: this.#authorization, prefer: 'wait=10' },
        signal: this.#stop.signal,
      });
      if (response.status !== 200) throw new Error(`the feed answered ${response.status}`);
      const page = (await response.json()) as Page;
      this.#entries.push(...page.entries);
      this.#page = page;
    }
  }

  async #accepts(token: string): Promise<boolean> {
    try {
      const options = { issuer: this.#issuer, audience: resource, typ: 'at+jwt' };
      const { payload } = await jwtVerify(token, this.#keys, options);
      const claims = { ...payload, kid: decodeProtectedHeader(token).kid } as Record<string, unknown>;
      return this.#page !== undefined && !this.#entries.some((entry) => this.#revokes(entry, claims));
    } catch {
      return false;
    }
  }

  #revokes({ kind, digest, epoch }: Entry, claims: Record<string, unknown>): boolean {
    if (kind === 'tenant') return true;
    const own = { sub: claims.sub_epoch, client_id: claims.client_epoch }[kind];
    if (epoch !== undefined && typeof own === 'number' && own >= epoch) return false;
    const mac = createHmac('sha256', Buffer.from(this.#page?.digest_key ?? '', 'base64url'));
    return (
      mac
        .update(`${kind}:${String(claims[kind])}`)
        .digest()
        .toString('base64url', 0, 16) === digest
    );
  }
}

let api: OrdersApi;
let apiOrigin: string;
let credentials: Credentials;
let feed: string;
/** Tenant with an app that requests tokens for the API. */
let withApp: DemoTenant;

beforeAll(async () => {
  credentials = await server(tenant);
  const app = await registered(demo, tenant, {
    kind: 'NATIVE',
    redirectUris: ['http://127.0.0.1/callback'],
    resources: [resource],
  });
  withApp = {
    ...tenant,
    clients: { ...tenant.clients, web: { ...tenant.clients.web, client_id: app.clientId } },
  };
  const metadata = (
    await discoverOnce(tenant, credentials.clientId, credentials.clientSecret)
  ).serverMetadata();
  feed = String(metadata.revocation_feed_endpoint);
  api = new OrdersApi(tenant.issuer, feed, credentials);
  apiOrigin = await api.start();
});

afterAll(() => api?.stop());

const statusFor = async (token: string): Promise<number> =>
  (await fetch(apiOrigin, { headers: { authorization: `Bearer ${token}` } })).status;

test('A company API that verifies tokens locally and follows the feed through the gateway rejects the token of a user whom SCIM deactivates, and no other one.', async () => {
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  const hired = async () => {
    const user = { userName: unique('buyer'), password: unique('nine quiet otters') };
    const { id } = await scim.createUser(user);
    const options = { resource, scope: 'openid profile' };
    const { tokens } = await redeem(await authorize(demo, withApp, user, options));
    return { id, token: tokens.access_token };
  };
  const [leaver, colleague] = [await hired(), await hired()];
  expect(await Promise.all([leaver, colleague].map(({ token }) => statusFor(token)))).toEqual([200, 200]);
  const { status } = await scim.patch(`/Users/${leaver.id}`, [
    { op: 'replace', path: 'active', value: false },
  ]);
  expect(status).toBeLessThan(300);
  await eventually(async () => (await statusFor(leaver.token)) === 401);
  expect(await statusFor(colleague.token)).toBe(200);
});

test('A rival’s server of the same resource gets no entry of the tenant, and not with its cursor.', async () => {
  const foreign = await server(rival);
  const ask = async (address: string, { clientId, clientSecret }: Credentials, after = '') => {
    const response = await fetch(`${address}?${new URLSearchParams(after === '' ? {} : { after })}`, {
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    });
    return { status: response.status, page: (await response.json()) as Page };
  };
  const rivals = feed.replace(tenant.issuer, rival.issuer);
  const [own, other] = [await ask(feed, credentials), await ask(rivals, foreign)];
  expect([own.status, other.status]).toEqual([200, 200]);
  expect(other.page.digest_key).not.toBe(own.page.digest_key);
  expect((await ask(feed, foreign)).status).toBe(401);
  expect((await ask(rivals, foreign, own.page.cursor)).status).toBe(400);
  const digests = new Set(own.page.entries.map(({ digest }) => digest));
  expect(other.page.entries.filter(({ digest }) => digest !== undefined && digests.has(digest))).toEqual([]);
});
