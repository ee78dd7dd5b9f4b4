import type { FastifyInstance } from 'fastify';
import { OAuthError } from '../../../platform/index.ts';
import type { TenantRoute } from '../../../platform/protocol/http/oauth-endpoint.ts';

interface JwksDependencies {
  tenants: { find(tenant: string): Promise<object | null> };
  signingKeys: { published(tenant: string): Promise<readonly object[]> };
}

/**
 * GET /t/{tenant}/jwks (RFC 7517 §5): next, current and recently retired keys. Cacheable for a minute, because a next
 * key is published long before it signs.
 */
export function jwksEndpoint(app: FastifyInstance, deps: JwksDependencies): void {
  app.get<TenantRoute>('/t/:tenant/jwks', async (request, reply) => {
    // Includes suspended tenants, so that their tokens stay verifiable.
    if (!(await deps.tenants.find(request.params.tenant))) {
      throw new OAuthError('invalid_request', 'There is no such tenant.', { statusCode: 404 });
    }
    const keys = await deps.signingKeys.published(request.params.tenant);
    return reply.header('cache-control', 'public, max-age=60').removeHeader('pragma').send({ keys });
  });
}
