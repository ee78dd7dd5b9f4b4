import { issuerOf, isTenantId, resourceMetadata, resourceMetadataUrl, scimResource } from '@ostiary/access';
import { ScimError } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import type { TenantParams } from './context.ts';

/**
 * Serves the metadata of a tenant's SCIM surface as a protected resource (RFC 9728): the authorization server that
 * issues its tokens, and the methods to present them. The response is the same whether the tenant exists or not.
 */
export function readResourceMetadata(app: FastifyInstance, publicOrigin: string): void {
  const url = new URL(resourceMetadataUrl(scimResource(publicOrigin, 'tenant'))).pathname;
  app.get<{ Params: TenantParams }>(url.replace('/t/tenant/', '/t/:tenant/'), async (request, reply) => {
    const { tenant } = request.params;
    if (!isTenantId(tenant)) {
      const missing = ScimError.notFound('There is no such resource.');
      return reply.code(404).send(missing.toJSON());
    }
    return reply
      .header('cache-control', 'public, max-age=300')
      .header('access-control-allow-origin', '*')
      .send(
        resourceMetadata({
          resource: scimResource(publicOrigin, tenant),
          name: 'SCIM 2.0',
          authorizationServers: [issuerOf(publicOrigin, tenant)],
          scopes: ['scim:read', 'scim:write'],
        }),
      );
  });
}
