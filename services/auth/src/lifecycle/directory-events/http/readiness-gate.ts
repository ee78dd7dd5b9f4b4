import { platformTenant } from '@ostiary/access';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Routes that answer during a break: they revoke access, grant none, deliver missed events, or check continuity
 * themselves. All other routes wait.
 */
const open: ReadonlySet<string> = new Set([
  '/livez',
  '/readyz',
  '/t/:tenant/jwks',
  '/t/:tenant/.well-known/openid-configuration',
  '/t/:tenant/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/t/:tenant',
  '/t/:tenant/revoke',
  '/t/:tenant/logout',
  '/t/:tenant/signed-out',
  '/t/:tenant/logo/:digest',
  '/t/:tenant/clients/:client/logo/:digest',
  '/internal/v1/events',
  '/internal/v1/events/missing',
  '/internal/v1/revocations',
  '/internal/v1/tenants/:tenant/signing-keys/rotate',
  // The verifier checks continuity for these callers.
  '/graphql',
]);

/** Rejects answers that missed offboarding events could make wrong. */
export interface ReadinessGate {
  /** Resolves when there is no break, or after a short one. @throws ServiceUnavailable */
  pass(): Promise<void>;
  /** @throws ServiceUnavailable during a break */
  assert(): void;
}

/** Answers 503 after a break (`DirectoryContinuity`) until missed events are processed. */
export function addReadinessGate(app: FastifyInstance, continuity: ReadinessGate): void {
  app.addHook('preHandler', async (request) => {
    if (!isOpen(request)) await continuity.pass();
  });
  // Data that was read before a break and is sent after it may be outdated.
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode < 400 && !isOpen(request)) continuity.assert();
    return payload;
  });
}

function isOpen(request: FastifyRequest): boolean {
  const { url } = request.routeOptions;
  if (url === undefined || request.method === 'OPTIONS' || open.has(url)) return true;
  // Routes of service tokens, which no user has.
  return url.startsWith('/t/') && (request.params as { tenant?: string }).tenant === platformTenant;
}
