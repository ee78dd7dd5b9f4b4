import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import { ostiary, type Verify } from '@ostiary/verifier';
import { requireToken } from '@ostiary/verifier/express';
import { requireToken as requireMcpToken } from '@ostiary/verifier/mcp';
import { GuardProcess } from '../guard/guard-process.ts';
import { WebApp } from '../guard/web-app.ts';
import { unique } from '../support/demo.ts';
import type { Place } from './place.ts';

/** An API of the organization, with the scope that an app requests for it. */
export interface CompanyApi {
  audience: string;
  scope: string;
}

/**
 * The programs of an organization that use a tenant: two APIs with the verifier package, one for JWTs and one for opaque
 * tokens, an MCP server, and a web app with an API behind a guard.
 */
export class Company {
  readonly jwt: CompanyApi;
  readonly opaque: CompanyApi;
  readonly app: WebApp;
  readonly guard: GuardProcess;
  readonly #server: Server;
  readonly #verifiers: readonly Verify[];

  private constructor(o: {
    jwt: CompanyApi;
    opaque: CompanyApi;
    app: WebApp;
    guard: GuardProcess;
    server: Server;
    verifiers: readonly Verify[];
  }) {
    this.jwt = o.jwt;
    this.opaque = o.opaque;
    this.app = o.app;
    this.guard = o.guard;
    this.#server = o.server;
    this.#verifiers = o.verifiers;
  }

  static async start({ demo, tenant, change }: Place): Promise<Company> {
    const define = async (tokenFormat: 'JWT' | 'OPAQUE'): Promise<CompanyApi> => {
      const name = unique('company');
      const [audience, scope] = [`https://${name}.example`, `${name}:use`];
      const input = { identifier: audience, name, tokenFormat, scopes: [{ name: scope }] };
      await change('registerApi', 'RegisterApiInput', input, 'api { id } problems { message }');
      return { audience, scope };
    };
    const [jwt, opaque] = await Promise.all([define('JWT'), define('OPAQUE')]);
    const port = await freePort();
    const app = new WebApp(demo, tenant, `http://127.0.0.1:${port}`);
    const protectedResources = [app.audience, jwt.audience, opaque.audience];
    await app.register({ protectedResources });
    const verifierOf = ({ audience }: CompanyApi) => ostiary({ ...app.options, audience });
    const [ofJwt, ofOpaque] = [verifierOf(jwt), verifierOf(opaque)];
    const [guard, server] = await Promise.all([
      guarded(app, jwt, port),
      serve(ofJwt, ofOpaque),
      ofJwt.ready(),
      ofOpaque.ready(),
    ]);
    return new Company({ jwt, opaque, app, guard, server, verifiers: [ofJwt, ofOpaque] });
  }

  /** URL of a route of the APIs: `/jwt`, `/opaque`, `/mcp` or `/mcp/stream`. */
  at(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  async close(): Promise<void> {
    for (const verify of this.#verifiers) verify.stop();
    this.#server.closeAllConnections();
    this.#server.close();
    await this.guard.stop();
  }
}

/** Starts a guard in front of an API and of a web app with sign-in. */
async function guarded(app: WebApp, api: CompanyApi, port: number): Promise<GuardProcess> {
  const { origin, audience } = app;
  const rules = [{ path: '/**' }];
  const hosts = [
    { host: new URL(origin).host, origin, audience, signIn: {}, rules },
    { host: new URL(api.audience).host, audience: api.audience, rules },
  ];
  const guard = await GuardProcess.start(app, { rules: { hosts }, port });
  await eventually(async () => (await guard.readiness()) === 200);
  return guard;
}

/** Serves the APIs and the MCP server, whose stream is open until the server ends it. */
async function serve(ofJwt: Verify, ofOpaque: Verify): Promise<Server> {
  const ofMcp = requireMcpToken(ofJwt);
  const routes: Readonly<Record<string, typeof ofMcp>> = {
    '/jwt': requireToken(ofJwt),
    '/opaque': requireToken(ofOpaque),
    '/mcp': ofMcp,
    '/mcp/stream': ofMcp,
  };
  const server = createServer((request, response) => {
    const { url = '' } = request;
    void routes[url]?.(request, response, () => {
      if (url !== '/mcp/stream') return response.end('{}');
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** By issuer: a place can have several objects. */
const companies = new Map<string, Promise<Company>>();

/** Returns the programs of a tenant, which are started once. */
export function companyOf(place: Place): Promise<Company> {
  const { issuer } = place.tenant;
  const company = companies.get(issuer) ?? Company.start(place);
  companies.set(issuer, company);
  // The next caller tries again: a fault can have prevented the start.
  company.catch(() => companies.delete(issuer));
  return company;
}

/** Ends the programs of all tenants. */
export async function closeCompanies(): Promise<void> {
  const ending = [...companies.values()].map((company) => company.then((one) => one.close()));
  companies.clear();
  await Promise.allSettled(ending);
}
