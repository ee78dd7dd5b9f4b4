import { keptUntil } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import { endGrant } from '../../access/index.ts';
import { clientOf } from '../../clients/http/client-authentication.ts';
import type { Client } from '../../clients/index.ts';
import { invalidRequest } from '../../platform/index.ts';
import {
  formOf,
  refuseOtherMethods,
  type TenantRoute,
  tenantOf,
} from '../../platform/protocol/http/oauth-endpoint.ts';
import type { NewRevocation } from '../../tenancy/index.ts';
import { required } from '../domain/token-request.ts';
import type { OAuthEndpointDependencies } from './dependencies.ts';

/**
 * POST /t/{tenant}/revoke (RFC 7009). A refresh token is revoked with its grant and all access tokens, an access
 * token alone. `token_type_hint` is ignored, because the formats differ.
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
    // RFC 7009 §2.2: an unknown, expired or already revoked token is a success.
    return reply.code(200).send();
  });
  refuseOtherMethods(app, '/t/:tenant/revoke', ['POST']);
}

/** Revokes the grant of a refresh token. Returns whether the token has the format of a refresh token. */
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

/** RFC 7009 §2.1: a client may revoke only its own tokens. */
function requireOwner(client: Client, clientId: string): void {
  if (client.clientId !== clientId) throw invalidRequest('The token was issued to another client.');
}
