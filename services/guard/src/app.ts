import { createHttp } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { Assertions } from './assertions/index.ts';
import { answerProxies, routedFor } from './decisions/decisions.http.ts';
import { Decisions, type ProtectedHost } from './decisions/index.ts';
import { readMetadata } from './decisions/metadata.http.ts';
import type { ProxyName } from './proxies/index.ts';
import type { HostRules } from './rules/index.ts';
import { Logouts, type SealedCookies, WebApp } from './sign-in/index.ts';
import { OpenIdIssuer } from './sign-in/issuer.data.ts';
import { signInRoutes } from './sign-in/sign-in.http.ts';
import { Verifiers, type VerifiersOptions } from './verifiers.ts';

export interface AppOptions extends VerifiersOptions {
  proxy: ProxyName;
  hosts: readonly HostRules[];
  assertions: Assertions;
  cookies: SealedCookies;
}

export interface App {
  http: FastifyInstance;
  verifiers: Verifiers;
}

/** Creates the guard: the surface that proxies ask, and the public keys of its assertions. */
export function createApp(options: AppOptions): App {
  const { kit, proxy, assertions } = options;
  const { clock } = kit;
  const verifiers = new Verifiers(options);
  const webApps = new Map<string, WebApp>();
  const hosts = new Map<string, ProtectedHost>();
  const issuer = new OpenIdIssuer({ ...options, clock });
  const logouts = new Logouts();
  for (const rules of options.hosts) {
    const { host, signIn } = rules;
    const verifier = verifiers.of(rules);
    const place = `${options.issuer} ${options.clientId}`;
    const { cookies } = options;
    const webApp = signIn && new WebApp({ rules, signIn, verifier, issuer, cookies, logouts, place, clock });
    if (webApp) webApps.set(host, webApp);
    hosts.set(host, { rules, verifier, webApp });
  }
  const decisions = new Decisions({ proxy, hosts, assertions, clock });
  const http = createHttp(kit, { routedAs: routedFor(proxy) });
  answerProxies(http, { kit, decisions, proxy });
  http.get('/.well-known/jwks.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(assertions.keySet),
  );
  readMetadata(http, hosts);
  signInRoutes(http, { log: kit.log, apps: webApps });
  return { http, verifiers };
}
