import type { FastifyPluginAsync } from 'fastify';
import { internalClientEndpoints } from '../clients/http/internal-clients.ts';
import { registrationEndpoints } from '../clients/http/register.ts';
import { signingKeyEndpoints } from '../keys/http/internal-signing-keys.ts';
import { jwksEndpoint } from '../keys/http/jwks.ts';
import { internalApiTokenEndpoint } from '../machines/http/internal-api-tokens.ts';
import { deviceAuthorizationEndpoint } from '../oauth/http/device-authorization.ts';
import { discoveryEndpoints } from '../oauth/http/discovery.ts';
import { internalIntrospectEndpoint } from '../oauth/http/internal-introspect.ts';
import { introspectEndpoint } from '../oauth/http/introspect.ts';
import { pushedAuthorizationEndpoint } from '../oauth/http/pushed-authorization.ts';
import { revokeEndpoint } from '../oauth/http/revoke.ts';
import { grantHandlers, tokenEndpoint } from '../oauth/http/token.ts';
import { userinfoEndpoint } from '../oauth/http/userinfo.ts';
import { answerError, type EndpointDependencies, speakOAuth } from '../protocol/http/oauth-endpoint.ts';
import { ssfRoutes } from '../signals/http/ssf.ts';
import { allowOtherOrigins } from '../tenants/http/cross-origin.ts';
import { internalWebOriginsEndpoint } from '../tenants/http/internal-web-origins.ts';

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
