import {
  apiScopes,
  graphResource,
  isPublicTenant,
  issuerOf,
  oidcScopes,
  resourceMetadata,
  resourceMetadataUrl,
  selfScopes,
} from '@ostiary/access';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import type { CrossOrigin } from '../../cors/cross-origin.http.ts';

const scopes = Object.keys({ ...oidcScopes, ...selfScopes, ...apiScopes }).filter(
  (scope) => !scope.startsWith('scim:'),
);
const path = (resource: string): string => new URL(resourceMetadataUrl(resource)).pathname;

/**
 * Serves the graph's metadata as a protected resource (RFC 9728). The address for all tenants names no authorization
 * server, because each tenant has its own. The address of a tenant names the tenant's, whether the tenant exists or
 * not.
 */
export function graphMetadata(publicOrigin: string, crossOrigin: CrossOrigin): FastifyPluginAsync {
  const metadata = (tenant?: string) =>
    resourceMetadata({
      resource: graphResource(publicOrigin, tenant),
      name: 'Ostiary graph',
      scopes,
      ...(tenant === undefined ? {} : { authorizationServers: [issuerOf(publicOrigin, tenant)] }),
    });
  const send = (reply: FastifyReply, tenant?: string): FastifyReply =>
    reply.header('cache-control', 'public, max-age=300').send(metadata(tenant));
  return async (app: FastifyInstance) => {
    app.addHook('onRequest', crossOrigin.onRequest);
    app.get(path(graphResource(publicOrigin)), async (_request, reply) => send(reply));
    app.get<{ Params: { tenant: string } }>(
      path(graphResource(publicOrigin, 'tenant')).replace('/t/tenant/', '/t/:tenant/'),
      async (request, reply) => {
        const { tenant } = request.params;
        return isPublicTenant(tenant) ? send(reply, tenant) : reply.callNotFound();
      },
    );
  };
}
