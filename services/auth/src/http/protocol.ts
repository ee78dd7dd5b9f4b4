import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { deviceAuthorizationEndpoint } from './device-authorization.ts';
import { discoveryEndpoints } from './discovery.ts';
import { internalApiTokenEndpoint } from './internal-api-tokens.ts';
import { internalClientEndpoints } from './internal-clients.ts';
import { internalIntrospectEndpoint } from './internal-introspect.ts';
import { signingKeyEndpoints } from './internal-signing-keys.ts';
import { introspectEndpoint } from './introspect.ts';
import { jwksEndpoint } from './jwks.ts';
import { answerError, type EndpointDependencies, speakOAuth } from './oauth-endpoint.ts';
import { pushedAuthorizationEndpoint } from './pushed-authorization.ts';
import { registrationEndpoints } from './register.ts';
import { revokeEndpoint } from './revoke.ts';
import { ssfRoutes } from './ssf.ts';
import { grantHandlers, tokenEndpoint } from './token.ts';
import { userinfoEndpoint } from './userinfo.ts';

/** Everything of the protocol that needs no browser page. */
export const protocolRoutes =
  (deps: EndpointDependencies): FastifyPluginAsync =>
  async (app) => {
    const handlers = grantHandlers(deps);
    await app.register(async (open) => {
      speakOAuth(open);
      allowOtherOrigins(open);
      tokenEndpoint(open, deps, handlers);
      if (deps.env.DEVICE_FLOW_ENABLED) deviceAuthorizationEndpoint(open, deps);
      pushedAuthorizationEndpoint(open, deps);
      revokeEndpoint(open, deps);
      userinfoEndpoint(open, deps);
      jwksEndpoint(open, deps);
      discoveryEndpoints(open, deps, [...handlers.keys()]);
    });
    await app.register(async (confidential) => {
      speakOAuth(confidential);
      introspectEndpoint(confidential, deps);
    });
    await app.register(ssfRoutes(deps));
    await app.register(async (registration) => registrationEndpoints(registration, deps));
    await app.register(async (internal) => {
      internal.setErrorHandler(answerError);
      internalClientEndpoints(internal, deps);
      internalIntrospectEndpoint(internal, deps);
      signingKeyEndpoints(internal, deps);
      internalApiTokenEndpoint(internal, deps);
    });
  };

const openAddresses = [
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

/** Apps in a browser call these from their own origin. No cookie is read here, so there is nothing to protect from them. */
function allowOtherOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, next) => {
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-expose-headers', 'www-authenticate, dpop-nonce, retry-after, x-request-id');
    next();
  });
  for (const address of openAddresses) {
    app.options(address, async (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', 'authorization, content-type, dpop')
        .header('access-control-max-age', 86_400)
        .send(),
    );
  }
}
