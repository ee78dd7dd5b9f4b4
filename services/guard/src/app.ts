import { createHttp } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { Assertions } from './assertions/index.ts';
import { answerProxies, routedFor } from './decisions/decisions.http.ts';
import { Decisions, type ProtectedHost } from './decisions/index.ts';
import { readMetadata } from './decisions/metadata.http.ts';
import type { ProxyName } from './proxies/index.ts';
import type { HostRules } from './rules/index.ts';
import { Verifiers, type VerifiersOptions } from './verifiers.ts';

export interface AppOptions extends VerifiersOptions {
  proxy: ProxyName;
  hosts: readonly HostRules[];
  assertions: Assertions;
}

export interface App {
  http: FastifyInstance;
  verifiers: Verifiers;
}

/** Creates the guard: the surface that proxies ask, and the public keys of its assertions. */
export function createApp(options: AppOptions): App {
  const { kit, proxy, assertions } = options;
  const verifiers = new Verifiers(options);
  const hosts = new Map<string, ProtectedHost>();
  for (const rules of options.hosts) hosts.set(rules.host, { rules, verify: verifiers.of(rules) });
  const decisions = new Decisions({ proxy, hosts, assertions, clock: kit.clock });
  const http = createHttp(kit, { routedAs: routedFor(proxy) });
  answerProxies(http, { kit, decisions, proxy });
  http.get('/.well-known/jwks.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(assertions.keySet),
  );
  readMetadata(http, hosts);
  return { http, verifiers };
}
