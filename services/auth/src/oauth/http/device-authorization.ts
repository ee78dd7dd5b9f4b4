import type { FastifyInstance } from 'fastify';
import { conformingClientOf } from '../../clients/http/client-authentication.ts';
import { deviceCodeGrant } from '../../clients/index.ts';
import { slowDown, unauthorizedClient } from '../../platform/index.ts';
import {
  formOf,
  refuseOtherMethods,
  type TenantRoute,
  tenantOf,
} from '../../platform/protocol/http/oauth-endpoint.ts';
import { checkTarget } from '../domain/authorize-request.ts';
import type { OAuthEndpointDependencies } from './dependencies.ts';

/** POST /t/{tenant}/device_authorization (RFC 8628 §3.1): issues a device code and a user code. */
export function deviceAuthorizationEndpoint(app: FastifyInstance, deps: OAuthEndpointDependencies): void {
  app.post<TenantRoute>('/t/:tenant/device_authorization', async (request) => {
    const tenant = await tenantOf(deps, request);
    const parameters = formOf(request);
    const client = await conformingClientOf(deps, tenant, request, parameters);
    if (!client.grantTypes.includes(deviceCodeGrant)) {
      throw unauthorizedClient('The client is not registered for the device flow.');
    }
    const waitMs = await deps.deviceRequestLimit({
      tenant,
      clientId: client.clientId,
      address: request.ip,
    });
    if (waitMs > 0) throw slowDown(waitMs);
    const issuer = deps.issuer(tenant);
    const issued = await deps.deviceCodes.issue({
      tenant,
      clientId: client.clientId,
      clientEpoch: client.epoch,
      ...checkTarget(parameters, client, issuer),
    });
    if ('waitMs' in issued) throw slowDown(issued.waitMs);
    return {
      device_code: issued.deviceCode,
      user_code: issued.userCode,
      verification_uri: `${issuer}/device`,
      verification_uri_complete: `${issuer}/device?user_code=${issued.userCode}`,
      expires_in: issued.expiresIn,
      interval: issued.interval,
    };
  });
  refuseOtherMethods(app, '/t/:tenant/device_authorization', ['POST']);
}
