import type { FastifyPluginAsync } from 'fastify';
import { allowOtherOrigins } from './cross-origin.ts';
import { deviceAuthorizationEndpoint } from './device-authorization.ts';
import { discoveryEndpoints } from './discovery.ts';
import { internalApiTokenEndpoint } from './internal-api-tokens.ts';
import { internalClientEndpoints } from './internal-clients.ts';
import { internalIntrospectEndpoint } from './internal-introspect.ts';
import { signingKeyEndpoints } from './internal-signing-keys.ts';
import { internalWebOriginsEndpoint } from './internal-web-origins.ts';
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
      allowOtherOrigins(open, deps);
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
      internalWebOriginsEndpoint(internal, deps);
    });
  };
