import type { ServiceKit } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { WebOrigins } from '../domain/web-origins.ts';

/** Endpoints that browser apps call from their own pages. The other endpoints are for navigation or for servers. */
export const openAddresses = [
  '/t/:tenant/token',
  '/t/:tenant/device_authorization',
  '/t/:tenant/par',
  '/t/:tenant/revoke',
  '/t/:tenant/userinfo',
  '/t/:tenant/jwks',
  '/t/:tenant/.well-known/openid-configuration',
  '/t/:tenant/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/t/:tenant',
];

interface CrossOriginDependencies {
  env: { PUBLIC_ORIGIN: string };
  webOrigins: WebOrigins;
  kit: ServiceKit;
}

/**
 * Permits pages of the tenant's registered origins and of its clients' redirect URIs to read responses (CORS,
 * https://fetch.spec.whatwg.org/#http-cors-protocol). These endpoints read no cookies and permit none, so there is
 * nothing else to protect from other pages. Pages of other origins, including those of other tenants, get no CORS
 * headers.
 */
export function allowOtherOrigins(app: FastifyInstance, deps: CrossOriginDependencies): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || origin === deps.env.PUBLIC_ORIGIN) return;
    const { tenant } = request.params as { tenant?: string };
    if (tenant === undefined || !(await isRegistered(deps, tenant, origin))) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', 'www-authenticate, dpop-nonce, retry-after, x-request-id');
  });
  for (const address of openAddresses) {
    app.options(address, async (_request, reply) => {
      reply.code(204).header('allow', 'GET, POST, OPTIONS');
      if (reply.hasHeader('access-control-allow-origin')) {
        reply
          .header('access-control-allow-methods', 'GET, POST')
          .header('access-control-allow-headers', 'authorization, content-type, dpop')
          .header('access-control-max-age', 600);
      }
      return reply.send();
    });
  }
}

/** If the lookup fails, the endpoint itself reports the error. */
async function isRegistered(
  { webOrigins, kit }: CrossOriginDependencies,
  tenant: string,
  origin: string,
): Promise<boolean> {
  try {
    return await webOrigins.isRegistered(tenant, origin);
  } catch (error) {
    kit.log.debug(
      { event: 'cors.tenant_origins_unavailable', err: error },
      'Origins of a tenant could not be loaded',
    );
    return false;
  }
}
