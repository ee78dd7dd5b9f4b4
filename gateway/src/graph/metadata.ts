import { apiScopes, graphResource, oidcScopes, resourceMetadata, resourceMetadataUrl } from '@ostiary/access';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

/**
 * The graph's metadata as a protected resource (RFC 9728). It serves every tenant, so it names no authorization server:
 * a client knows its tenant, and with it the issuer.
 */
export function graphMetadata(publicOrigin: string): FastifyPluginAsync {
  const resource = graphResource(publicOrigin);
  const metadata = resourceMetadata({
    resource,
    name: 'Ostiary graph',
    scopes: Object.keys({ ...oidcScopes, ...apiScopes }).filter((scope) => !scope.startsWith('scim:')),
  });
  return async (app: FastifyInstance) => {
    app.get(new URL(resourceMetadataUrl(resource)).pathname, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=300')
        .header('access-control-allow-origin', '*')
        .send(metadata),
    );
  };
}
