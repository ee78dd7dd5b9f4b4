import type { TokenVerifier } from '@ostiary/access';
import { requireService } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import type { WebOrigins } from '../domain/web-origins.ts';

interface WebOriginDependencies {
  verifier: TokenVerifier;
  webOrigins: WebOrigins;
}

/**
 * GET /internal/v1/web-origins → {origins: {[origin]: tenants}}: origins of web apps that may use the graph. The
 * gateway requests it at most once per second, while pages of other origins use it.
 */
export function internalWebOriginsEndpoint(app: FastifyInstance, deps: WebOriginDependencies): void {
  const onRequest = requireService(deps.verifier, 'auth', ['gateway']);
  app.get('/internal/v1/web-origins', { onRequest }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ origins: await deps.webOrigins.registered() }),
  );
}
