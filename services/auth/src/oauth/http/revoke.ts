import { keptUntil } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import { clientOf } from '../../clients/http/index.ts';
import type { Client } from '../../clients/index.ts';
import { endGrant } from '../../grants/index.ts';
import { formOf, refuseOtherMethods, type TenantRoute, tenantOf } from '../../protocol/http/index.ts';
import { invalidRequest } from '../../protocol/index.ts';
import type { NewRevocation } from '../../subjects/index.ts';
import { required } from '../domain/token-request.ts';
import type { OAuthEndpointDependencies } from './dependencies.ts';

/**
 * POST /t/{tenant}/revoke (RFC 7009). A refresh token takes its whole grant with it, access tokens included; an
 * access token goes alone. `token_type_hint` isn't needed: the two look different.
 */
export function revokeEndpoint(app: FastifyInstance, deps: OAuthEndpointDependencies): void {
  app.post<TenantRoute>('/t/:tenant/revoke', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const parameters = formOf(request);
    const client = await clientOf(deps, tenant, request, parameters);
    const token = required(parameters, 'token');
    if (!(await revokeRefreshToken(deps, tenant, client, token))) {
      await revokeAccessToken(deps, tenant, client, token);
    }
    // §2.2: a token that is unknown, expired or already revoked is a success.
    return reply.code(200).send();
  });
  refuseOtherMethods(app, '/t/:tenant/revoke', ['POST']);
}

/** Whether the token has the form of a refresh token of ours; then it was dealt with. */
async function revokeRefreshToken(
  deps: OAuthEndpointDependencies,
  tenant: string,
  client: Client,
  token: string,
): Promise<boolean> {
  const parts = deps.refreshTokens.parse(tenant, token);
  if (!parts) return false;
  const owner = await deps.tokenStatus.grantOf(tenant, parts);
  if (!owner) return true;
  requireOwner(client, owner.clientId);
  await endGrant(deps, tenant, owner.grantId, {
    reason: 'revoked_by_client',
    actor: { kind: 'client', id: client.clientId },
  });
  return true;
}

async function revokeAccessToken(
  deps: OAuthEndpointDependencies,
  tenant: string,
  client: Client,
  token: string,
): Promise<void> {
  const live = await deps.introspection.liveAccessToken(tenant, token);
  if (!live) return;
  requireOwner(client, live.claims.client_id);
  const entry: NewRevocation = {
    tenant,
    kind: 'jti',
    key: live.claims.jti,
    expiresAt: keptUntil(live.claims.exp),
  };
  const entries = await deps.database.transaction((tx) =>
    deps.revocations.append(tx, [entry], 'revoked_by_client'),
  );
  await deps.revocations.publish(entries);
}

/** §2.1: a client may only revoke its own tokens. */
function requireOwner(client: Client, clientId: string): void {
  if (client.clientId !== clientId) throw invalidRequest('The token was issued to another client.');
}
