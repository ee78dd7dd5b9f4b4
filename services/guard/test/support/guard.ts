import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKit, type ServiceKit } from '@ostiary/service';
import {
  audience,
  clientId,
  clientSecret,
  type StubIssuer,
} from '../../../../libs/verifier/test/support/stub-issuer.ts';
import { type App, createApp } from '../../src/app.ts';
import { Assertions, signingKey } from '../../src/assertions/index.ts';
import { identityHeaders } from '../../src/decisions/domain/identity.ts';
import type { ProxyName } from '../../src/proxies/index.ts';
import { parseRules } from '../../src/rules/index.ts';
import { SealedCookies } from '../../src/sign-in/index.ts';

export const assertions = new Assertions(signingKey(Buffer.alloc(32, 7)));

/** Rules of the tests, of which `orders.example` is the app's host. */
export const rules = [
  { path: '/public/**', public: true },
  { path: '/admin/**', scopes: ['orders:admin'] },
  { path: '/approvals/**', roles: ['approver', 'lead approver'] },
  { path: '/reports/**', groups: ['Finance', 'Audit'] },
  { path: '/payments', methods: ['POST'], acr: ['urn:ostiary:acr:2fa'], maxAge: 300 },
  { path: '/**' },
];

export interface GuardAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** Identity headers that are not empty, without their prefix. */
  identity: Record<string, string>;
}

export interface TestGuardOptions {
  proxy?: ProxyName;
  /** Origin of the app as clients see it. */
  origin?: string;
  /** Sign-in of the hosts. */
  signIn?: object;
  rules?: readonly object[];
  cookies?: SealedCookies;
  clock?: () => number;
}

/** A guard in this process. */
export class TestGuard {
  readonly kit: ServiceKit;
  readonly port: number;
  readonly #app: App;

  private constructor(kit: ServiceKit, app: App) {
    this.kit = kit;
    this.#app = app;
    this.port = (app.http.server.address() as AddressInfo).port;
  }

  static async start(issuer: StubIssuer, options: TestGuardOptions = {}): Promise<TestGuard> {
    const { proxy = 'traefik', origin = 'https://orders.example', signIn, clock } = options;
    const kit = { ...createKit({ name: 'guard', logLevel: 'silent' }), ...(clock && { clock }) };
    const ofHosts = { audience, signIn, rules: options.rules ?? rules };
    const hosts = [
      { host: 'orders.example', origin, ...ofHosts },
      { host: 'shop.example', ...ofHosts },
    ];
    const app = createApp({
      kit,
      proxy,
      hosts: parseRules(JSON.stringify({ hosts })),
      issuer: issuer.issuer,
      clientId,
      clientSecret,
      assertions,
      cookies: options.cookies ?? new SealedCookies(Buffer.alloc(32, 7)),
      maxStalenessSeconds: 3,
    });
    app.verifiers.start();
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    return new TestGuard(kit, app);
  }

  async stop(): Promise<void> {
    this.#app.verifiers.stop();
    await this.#app.http.close();
  }

  /** Asks like Traefik, or for a path of the guard itself. */
  async ask(
    headers: Record<string, string | string[]>,
    path = '/verify',
    method = 'GET',
    content?: string,
  ): Promise<GuardAnswer> {
    const sent = request({ host: '127.0.0.1', port: this.port, path, method, headers });
    sent.end(content);
    const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    let body = '';
    for await (const chunk of response) body += chunk;
    const { headers: answered, statusCode: status = 0 } = response;
    return { status, headers: answered, body, identity: identityIn(answered) };
  }

  /** Asks for a request to the app. */
  request(
    path: string,
    headers: Record<string, string | string[]> = {},
    method = 'GET',
  ): Promise<GuardAnswer> {
    return this.ask({
      'x-forwarded-method': method,
      'x-forwarded-host': 'orders.example',
      'x-forwarded-uri': path,
      ...headers,
    });
  }
}

function identityIn(headers: IncomingHttpHeaders): Record<string, string> {
  const named = identityHeaders.map((name) => [name.replace('x-ostiary-', ''), headers[name]] as const);
  return Object.fromEntries(named.filter((entry): entry is [string, string] => Boolean(entry[1])));
}
