import type { ServiceKit } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import type { WebOrigins } from '../domain/web-origins.ts';

/** What apps in a browser call from their own pages; everything else of the protocol is for browsers to go to, or for servers. */
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
  webOrigins: Pick<WebOrigins, 'isRegistered'>;
  kit: Pick<ServiceKit, 'log'>;
}

/**
 * Lets pages of the origins that the tenant has registered, or where one of its clients is redirected to, read the answers (CORS,
 * https://fetch.spec.whatwg.org/#http-cors-protocol). No cookie is read at these addresses and none is allowed along, so there is
 * nothing else to protect from other pages; and to those, another tenant's among them, nothing is told.
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

/** Whatever keeps it from being known, the endpoint itself says what is wrong. */
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
