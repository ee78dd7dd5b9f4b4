import { platformTenant } from '@ostiary/access';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Routes that answer during a break as ever: they close doors, let nobody in, bring what was missed, or ask for
 * themselves. Whatever isn't named here waits.
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
  // Whoever comes here has passed the verifier.
  '/graphql',
]);

/** Whether what this process says about who may enter can be relied on. */
export interface ReadinessGate {
  /** Resolves when it can, or can again after a moment. @throws ServiceUnavailable */
  pass(): Promise<void>;
  /** @throws ServiceUnavailable when it can't */
  assert(): void;
}

/** After a break (`DirectoryContinuity`) nothing lets somebody in before what had not arrived is taken in: 503 until then. */
export function keepDoorsSound(app: FastifyInstance, continuity: ReadinessGate): void {
  app.addHook('preHandler', async (request) => {
    if (!isOpen(request)) await continuity.pass();
  });
  // What was read before a break, and is answered after it, is no longer known to be so.
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode < 400 && !isOpen(request)) continuity.assert();
    return payload;
  });
}

function isOpen(request: FastifyRequest): boolean {
  const { url } = request.routeOptions;
  if (url === undefined || request.method === 'OPTIONS' || open.has(url)) return true;
  // The tokens that our services call each other with; no person has one.
  return url.startsWith('/t/') && (request.params as { tenant?: string }).tenant === platformTenant;
}
