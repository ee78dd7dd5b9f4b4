import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { internalApiTokenEndpoint } from '../access/machines/internal-api-tokens.http.ts';
import { internalClientEndpoints } from '../clients/http/internal-clients.ts';
import { registrationEndpoints } from '../clients/http/register.ts';
import { deviceAuthorizationEndpoint } from '../oauth/http/device-authorization.ts';
import { discoveryEndpoints } from '../oauth/http/discovery.ts';
import { internalIntrospectEndpoint } from '../oauth/http/internal-introspect.ts';
import { introspectEndpoint } from '../oauth/http/introspect.ts';
import { pushedAuthorizationEndpoint } from '../oauth/http/pushed-authorization.ts';
import { revokeEndpoint } from '../oauth/http/revoke.ts';
import { grantHandlers, tokenEndpoint } from '../oauth/http/token.ts';
import { userinfoEndpoint } from '../oauth/http/userinfo.ts';
import { assertingAccount, assertionGrants } from '../oauth/trust/assertion-grants.http.ts';
import type { Parameters } from '../platform/protocol/domain/parameters.ts';
import { answerError, serveOAuth } from '../platform/protocol/http/oauth-endpoint.ts';
import { ssfRoutes } from '../signals/http/ssf.ts';
import { signingKeyEndpoints } from '../tenancy/keys/http/internal-signing-keys.ts';
import { jwksEndpoint } from '../tenancy/keys/http/jwks.ts';
import { allowOtherOrigins } from '../tenancy/tenants/http/cross-origin.ts';
import { internalWebOriginsEndpoint } from '../tenancy/tenants/http/internal-web-origins.ts';
import type { Dependencies } from './dependencies.ts';

/** Routes of the protocol that have no page. */
export const protocolRoutes =
  (parts: Dependencies): FastifyPluginAsync =>
  async (app) => {
    const deps = {
      ...parts,
      assertingAccount: (tenant: string, request: FastifyRequest, parameters: Parameters) =>
        assertingAccount(parts, tenant, request, parameters),
    };
    const handlers = grantHandlers(deps, assertionGrants(parts));
    await app.register(async (open) => {
      serveOAuth(open);
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
      serveOAuth(confidential);
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
