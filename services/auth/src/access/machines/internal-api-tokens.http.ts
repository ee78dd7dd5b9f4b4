import type { TokenVerifier } from '@ostiary/access';
import { requireService } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import { invalidRequest } from '../../platform/index.ts';
import { liveApiToken } from './domain/api-token-reader.ts';

type ApiTokenIntrospectionDependencies = Parameters<typeof liveApiToken>[0] & { verifier: TokenVerifier };

/**
 * POST /internal/v1/api-tokens/introspect {token} → {token?: LiveApiToken}: for verifiers of other services, because
 * API tokens are opaque to them.
 */
export function internalApiTokenEndpoint(
  app: FastifyInstance,
  deps: ApiTokenIntrospectionDependencies,
): void {
  app.post(
    '/internal/v1/api-tokens/introspect',
    { onRequest: requireService(deps.verifier, 'auth') },
    async (request, reply) => {
      const { token } = (request.body ?? {}) as { token?: unknown };
      if (typeof token !== 'string') throw invalidRequest('token is required.');
      const live = await liveApiToken(deps, token);
      return reply.header('cache-control', 'no-store').send(live === undefined ? {} : { token: live });
    },
  );
}
