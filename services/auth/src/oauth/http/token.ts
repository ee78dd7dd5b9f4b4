import { Counter } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { conformingClientOf, hideFromOutside } from '../../clients/http/client-authentication.ts';
import { deviceCodeGrant } from '../../clients/index.ts';
import { OAuthError, unauthorizedClient, unsupportedGrantType } from '../../platform/index.ts';
import {
  formOf,
  refuseOtherMethods,
  type TenantRoute,
  tenantOf,
} from '../../platform/protocol/http/oauth-endpoint.ts';
import { authorizationCodeGrant } from '../domain/grant-authorization-code.ts';
import { clientCredentialsGrant } from '../domain/grant-client-credentials.ts';
import { deviceGrant } from '../domain/grant-device-code.ts';
import { refreshTokenGrant } from '../domain/grant-refresh-token.ts';
import { type GrantHandler, required, type TokenResponse } from '../domain/token-request.ts';
import type { OAuthEndpointDependencies } from './dependencies.ts';
import { proofKeyOf, requireProofOf } from './dpop.ts';

/**
 * Returns the handlers by grant type.
 * @param others grant types of other modules, with their handlers
 */
export function grantHandlers(
  deps: OAuthEndpointDependencies,
  others: readonly [string, GrantHandler][],
): ReadonlyMap<string, GrantHandler> {
  const { env } = deps;
  const grants = deps.grantStore;
  const { claimMapper, subjects, userClaims } = deps;
  const claims = { claimMapper, subjects, userClaims };
  const opening = {
    claims,
    accessTokens: deps.accessTokens,
    idTokens: deps.idTokens,
    liveness: deps.tokenLiveness,
    refreshTokens: deps.refreshTokens,
    grants,
    lifetimes: {
      accessToken: env.ACCESS_TOKEN_TTL_SECONDS,
      refreshIdle: env.REFRESH_TOKEN_IDLE_SECONDS,
      refreshAbsolute: env.REFRESH_TOKEN_ABSOLUTE_SECONDS,
    },
  };
  const device: [string, GrantHandler][] = env.DEVICE_FLOW_ENABLED
    ? [[deviceCodeGrant, deviceGrant({ ...opening, deviceCodes: deps.deviceCodes })]]
    : [];
  return new Map([
    ['authorization_code', authorizationCodeGrant({ ...opening, codes: deps.authorizationCodes })],
    [
      'refresh_token',
      refreshTokenGrant({
        claims,
        accessTokens: deps.accessTokens,
        idTokens: deps.idTokens,
        liveness: deps.tokenLiveness,
        refreshTokens: deps.refreshTokens,
        grants,
        idleSeconds: env.REFRESH_TOKEN_IDLE_SECONDS,
        retryWindowSeconds: env.REFRESH_RETRY_WINDOW_SECONDS,
      }),
    ],
    ['client_credentials', clientCredentialsGrant({ accessTokens: deps.accessTokens })],
    ...device,
    ...others,
  ]);
}

/** POST /t/{tenant}/token (RFC 6749 §3.2). */
export function tokenEndpoint(
  app: FastifyInstance,
  deps: OAuthEndpointDependencies,
  handlers: ReadonlyMap<string, GrantHandler>,
): void {
  const outcomes = new Counter({
    name: 'oauth_token_requests_total',
    help: 'Number of token requests, by grant type and outcome',
    labelNames: ['grant_type', 'outcome'] as const,
    registers: [deps.kit.metrics],
  });

  const platform = { config: { verifiesNeighbour: true }, preHandler: hideFromOutside(deps) };
  app.post<TenantRoute>('/t/:tenant/token', platform, async (request, reply): Promise<TokenResponse> => {
    let grantType = 'none';
    try {
      const tenant = await tenantOf(deps, request);
      const parameters = formOf(request);
      const asked = required(parameters, 'grant_type');
      const handler = handlerOf(handlers, asked);
      grantType = asked;
      const client =
        (await deps.assertingAccount(tenant, request, parameters)) ??
        (await conformingClientOf(deps, tenant, request, parameters));
      if (!client.grantTypes.includes(asked)) {
        throw unauthorizedClient('The client is not registered for this grant type.');
      }
      const issuer = deps.issuer(tenant);
      const dpopJkt =
        request.headers.dpop === undefined
          ? undefined
          : await proofKeyOf(deps.proofs, request, reply, `${issuer}/token`, client);
      requireProofOf(client, dpopJkt);
      const response = await handler({
        tenant,
        policy: (await deps.tenants.find(tenant))?.policy,
        issuer,
        client,
        parameters,
        ...(dpopJkt === undefined ? {} : { dpopJkt }),
      });
      deps.clientUses.note(tenant, client.clientId);
      outcomes.inc({ grant_type: grantType, outcome: 'issued' });
      return response;
    } catch (error) {
      outcomes.inc({
        grant_type: grantType,
        outcome: error instanceof OAuthError ? error.code : 'server_error',
      });
      throw error;
    }
  });
  refuseOtherMethods(app, '/t/:tenant/token', ['POST']);
}

function handlerOf(handlers: ReadonlyMap<string, GrantHandler>, grantType: string): GrantHandler {
  const handler = handlers.get(grantType);
  if (handler) return handler;
  throw unsupportedGrantType(
    grantType === 'password'
      ? 'The password grant was removed from OAuth; use authorization_code with PKCE.'
      : 'The server does not support this grant type.',
  );
}
