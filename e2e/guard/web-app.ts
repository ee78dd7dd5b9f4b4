import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { eventually } from '@ostiary/service/testing';
import { Browser } from '../support/browser.ts';
import { type Demo, type DemoTenant, type DemoUser, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, walk } from '../support/sign-in.ts';
import { type Credentials, registered } from '../verifier/registered.ts';
import { GuardProcess, type GuardProcessOptions } from './guard-process.ts';

const pageLoad = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' };

/** A web app of a tenant behind a guard: its client and its users. */
export class WebApp {
  readonly origin: string;
  readonly audience = `https://${unique('orders')}.example`;
  readonly tenant: DemoTenant;
  readonly #demo: Demo;
  #credentials: Credentials | undefined;

  constructor(demo: Demo, tenant: DemoTenant, origin: string) {
    this.#demo = demo;
    this.tenant = tenant;
    this.origin = origin;
  }

  async register(input: object = {}): Promise<this> {
    this.#credentials = await registered(this.#demo, this.tenant, {
      kind: 'WEB',
      redirectUris: [`${this.origin}/.ostiary/callback`],
      postLogoutRedirectUris: [`${this.origin}/goodbye`],
      resources: [this.audience],
      protectedResources: [this.audience],
      requireConsent: false,
      ...input,
    });
    return this;
  }

  get options() {
    const { clientId = '', clientSecret = '' } = this.#credentials ?? {};
    return { issuer: this.tenant.issuer, audience: this.audience, clientId, clientSecret };
  }

  /** Starts a guard that is current. */
  async guarded(o: GuardProcessOptions = {}): Promise<GuardProcess> {
    const { host } = new URL(this.origin);
    const signIn = { postLogoutRedirectUri: `${this.origin}/goodbye` };
    const rules = {
      hosts: [{ host, origin: this.origin, audience: this.audience, signIn, rules: [{ path: '/**' }] }],
    };
    const guard = await GuardProcess.start(this, { rules, ...o });
    await eventually(async () => (await guard.readiness()) === 200);
    return guard;
  }

  /** Creates a user by SCIM. */
  async hire(): Promise<DemoUser & { id: string }> {
    const user = { userName: unique('buyer'), password: unique('nine quiet otters') };
    const { id } = await this.#scim.createUser(user);
    return { ...user, id };
  }

  async offboard(userId: string): Promise<void> {
    const { status } = await this.#scim.patch(`/Users/${userId}`, [
      { op: 'replace', path: 'active', value: false },
    ]);
    assert.ok(status < 300, `offboarding: ${status}`);
  }

  /** Runs a mutation as the administrator. */
  async administer(mutation: string, variables: Record<string, unknown>): Promise<void> {
    const { data, errors } = await graph(this.#demo, await adminToken(this.tenant), mutation, variables);
    assert.deepEqual(errors, []);
    for (const result of Object.values(data) as { problems: unknown[] }[])
      assert.deepEqual(result.problems, []);
  }

  get #scim(): ScimClient {
    return new ScimClient(this.tenant, this.tenant.clients.scim.token);
  }
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
}

/** Sends a request as a browser does: `fetch` has a `Sec-Fetch-Mode` of its own. */
export async function browse(address: string | URL, headers: Record<string, string>): Promise<Answer> {
  const sent = request(address, { headers: { ...pageLoad, ...headers }, agent: false });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode ?? 0, headers: response.headers };
}

/** A browser of a user: its cookies at the app, which it reaches through the guard alone, and its pages at the issuer. */
export class AppBrowser {
  readonly issuer: Browser;
  readonly cookies = new Map<string, string>();
  readonly #app: WebApp;

  constructor(demo: Demo, app: WebApp, issuer = new Browser(demo.origin)) {
    this.#app = app;
    this.issuer = issuer;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Asks the guard about a page of the app. */
  load(guard: GuardProcess, path = '/orders', headers: Record<string, string> = {}): Promise<Answer> {
    return browse(`http://127.0.0.1:${guard.port}/verify`, {
      'x-forwarded-method': 'GET',
      'x-forwarded-host': new URL(this.#app.origin).host,
      'x-forwarded-uri': path,
      cookie: this.cookie,
      ...headers,
    });
  }

  async status(guard: GuardProcess): Promise<number> {
    return (await this.load(guard)).status;
  }

  /** Opens a page of the guard at the app. @returns the address to which it redirects */
  async open(guard: GuardProcess, address: string | URL): Promise<{ status: number; location: string }> {
    const { host, pathname, search } = new URL(address);
    const url = `http://127.0.0.1:${guard.port}${pathname}${search}`;
    const { status, headers } = await browse(url, { host, cookie: this.cookie });
    for (const line of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status, location: headers.location ?? '' };
  }

  /** Follows the redirects of a page load up to the callback. @returns its address */
  async toCallback(guard: GuardProcess, user: DemoUser, path = '/orders?x=1'): Promise<URL> {
    const first = await this.load(guard, path);
    assert.equal(first.status, 302);
    const begun = await this.open(guard, first.headers.location ?? '');
    return (await walk(this.issuer, new URL(begun.location), user)).url;
  }

  /** Signs a user in. */
  async signIn(guard: GuardProcess, user: DemoUser): Promise<void> {
    const ended = await this.open(guard, await this.toCallback(guard, user));
    assert.deepEqual(ended, { status: 303, location: `${this.#app.origin}/orders?x=1` });
  }
}
