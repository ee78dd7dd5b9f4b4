import type { GrantStore, RefreshTokenCodec } from '../../access/index.ts';
import { parseScope } from '../../access/index.ts';
import { isFapi2 } from '../../clients/index.ts';
import { invalidGrant, invalidTarget, scopeRefused, single } from '../../platform/index.ts';
import { attributesBeforeUse } from './access-tokens/attributes-before-use.ts';
import { resourcesOfTokenRequest } from './access-tokens/target.ts';
import { type Issuers, issueFromGrant } from './grant-issuance.ts';
import { type GrantHandler, required } from './token-request.ts';

export interface RefreshGrantDependencies extends Issuers {
  grants: GrantStore;
  refreshTokens: RefreshTokenCodec;
  /** Seconds. */
  idleSeconds: number;
  retryWindowSeconds: number;
}

const description =
  'The refresh token is invalid, expired, revoked, already used, or was issued to another client.';

/** grant_type=refresh_token (RFC 6749 §6), with rotation and replay detection (RFC 9700 §4.14.2). */
export const refreshTokenGrant =
  (deps: RefreshGrantDependencies): GrantHandler =>
  async (request) => {
    const { parameters, client, tenant, issuer } = request;
    const presented = deps.refreshTokens.parse(tenant, required(parameters, 'refresh_token'));
    const scopeText = single(parameters, 'scope');
    const scopes = scopeText === undefined ? undefined : parseScope(scopeText);
    const asked = parameters.get('resource');
    const resources = asked && resourcesOfTokenRequest(asked, client, issuer);
    if (!presented) throw invalidGrant(description, 'not a refresh token of this tenant');

    const known = await attributesBeforeUse(deps, request, async () => {
      const grant = await deps.grants.peek(tenant, client.clientId, presented, deps);
      return grant && { ...grant, scopes: scopes ?? grant.scopes, resources: resources ?? grant.resources };
    });
    const rotation = await deps.grants.rotate(tenant, client.clientId, presented, {
      idleSeconds: deps.idleSeconds,
      retryWindowSeconds: deps.retryWindowSeconds,
      // A confidential client's refresh tokens are bound to the client, which may change its key (RFC 9449 §5).
      dpopJkt: client.type === 'public' ? request.dpopJkt : undefined,
      // FAPI 2.0 Security Profile §5.3.2.1 (9): rotation would lock out a client that lost a response, and a stolen
      // token is useless without the client's credentials.
      keep: isFapi2(client),
      ...(scopes ? { scopes } : {}),
      ...(resources ? { resources } : {}),
    });
    switch (rotation.outcome) {
      case 'kept':
      case 'rotated':
      case 'repeated':
        return issueFromGrant(deps, request, rotation.grant, {
          scopes: scopes ?? rotation.grant.scopes,
          resources: resources ?? rotation.grant.resources,
          known,
          ...(rotation.outcome === 'kept'
            ? {}
            : { refreshToken: deps.refreshTokens.format(tenant, rotation.next) }),
        });
      case 'replayed':
        await deps.grants.killReplayed(tenant, { grantId: rotation.grantId });
        throw invalidGrant(description, 'replayed');
      case 'scope':
        throw scopeRefused(rotation.scope, 'was not granted');
      case 'resource':
        throw invalidTarget('This resource was not granted to the client.');
      case 'dead':
        throw invalidGrant(description, rotation.reason);
    }
  };
