import { requireService } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import { invalidRequest } from '../../platform/index.ts';
import type { OAuthEndpointDependencies } from './dependencies.ts';

/** POST /internal/v1/introspect {tenant, token} → {active}: for verifiers whose revocation list is stale. */
export function internalIntrospectEndpoint(app: FastifyInstance, deps: OAuthEndpointDependencies): void {
  app.post(
    '/internal/v1/introspect',
    { onRequest: requireService(deps.verifier, 'auth') },
    async (request, reply) => {
      const { tenant, token } = (request.body ?? {}) as { tenant?: unknown; token?: unknown };
      if (typeof tenant !== 'string' || typeof token !== 'string') {
        throw invalidRequest('tenant and token are required.');
      }
      const found = await deps.tenants.find(tenant);
      const live = found?.status === 'active' && (await deps.introspection.liveAccessToken(tenant, token));
      return reply.header('cache-control', 'no-store').send({ active: Boolean(live) });
    },
  );
}
