import type { FastifyInstance } from 'fastify';
import { clientOf } from '../../clients/http/client-authentication.ts';
import { isUnapprovedClientId } from '../../clients/index.ts';
import { invalidClient } from '../../platform/index.ts';
import {
  formOf,
  refuseOtherMethods,
  serveOAuth,
  type TenantRoute,
  tenantOf,
} from '../../platform/protocol/http/oauth-endpoint.ts';
import { required } from '../domain/token-request.ts';
import type { OAuthEndpointDependencies } from './dependencies.ts';
import { signedIntrospection, wantsSignedIntrospection } from './signed-introspection.ts';

/** POST /t/{tenant}/introspect (RFC 7662, signed on request as in RFC 9701) for confidential clients. */
export function introspectEndpoint(app: FastifyInstance, deps: OAuthEndpointDependencies): void {
  serveOAuth(app);
  app.post<TenantRoute>('/t/:tenant/introspect', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const parameters = formOf(request);
    const client = await clientOf(deps, tenant, request, parameters);
    // Any caller can use the name of a public client, which would make this endpoint an oracle for stolen tokens (RFC
    // 7662 §2.1).
    if (client.type !== 'confidential') throw invalidClient('public clients cannot introspect');
    const signed = wantsSignedIntrospection(request);
    // A signed response is only for the token's client and audience, regardless of the tenant's policy (RFC 9701 §5).
    const byAnyClient =
      !signed &&
      !isUnapprovedClientId(client.clientId) &&
      ((await deps.tenants.find(tenant))?.policy.introspectionByAnyClient ?? false);
    const token = required(parameters, 'token');
    const response = await deps.introspection.introspect(tenant, token, client, { byAnyClient });
    deps.clientUses.note(tenant, client.clientId);
    reply.header('vary', 'accept');
    return signed ? signedIntrospection(deps, tenant, client, response, reply) : response;
  });
  refuseOtherMethods(app, '/t/:tenant/introspect', ['POST']);
}
