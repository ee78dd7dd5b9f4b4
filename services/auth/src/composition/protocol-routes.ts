import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { internalClientEndpoints, registrationEndpoints } from '../clients/http/index.ts';
import { jwksEndpoint, signingKeyEndpoints } from '../keys/http/index.ts';
import { internalApiTokenEndpoint } from '../machines/http/index.ts';
import {
  deviceAuthorizationEndpoint,
  discoveryEndpoints,
  grantHandlers,
  internalIntrospectEndpoint,
  introspectEndpoint,
  pushedAuthorizationEndpoint,
  revokeEndpoint,
  tokenEndpoint,
  userinfoEndpoint,
} from '../oauth/http/index.ts';
import { answerError, serveOAuth } from '../protocol/http/index.ts';
import type { Parameters } from '../protocol/index.ts';
import { ssfRoutes } from '../signals/http/index.ts';
import { allowOtherOrigins, internalWebOriginsEndpoint } from '../tenants/http/index.ts';
import { assertingAccount, assertionGrants } from '../trust/http/index.ts';
import type { AuthDependencies } from './dependencies.ts';
import type { Protocol } from './protocol.ts';

/** Routes of the protocol that have no page. */
export const protocolRoutes =
  (parts: AuthDependencies & Protocol): FastifyPluginAsync =>
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
