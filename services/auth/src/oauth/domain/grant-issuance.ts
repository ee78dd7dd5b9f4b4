import { claimsOfScopes, countingRoles, type LiveGrant, permittedScopes } from '../../access/index.ts';
import { requireScopesLeft } from '../../platform/index.ts';
import type { Subjects } from '../../tenancy/index.ts';
import type { ClaimMapper } from '../claims/domain/claim-mapper.ts';
import type { ReadUser } from '../claims/domain/user-values.ts';
import type { AccessTokens, GrantContext } from './access-token.ts';
import { permittedResources } from './access-tokens/target.ts';
import type { FeedLiveness } from './feed-liveness.ts';
import type { IdTokenIssuer } from './id-token.ts';
import type { UserClaims } from './person-claims.ts';
import type { TokenRequest, TokenResponse } from './token-request.ts';

export interface Issuers {
  accessTokens: AccessTokens;
  idTokens: IdTokenIssuer;
  liveness: FeedLiveness;
  /** Source of the user's claims in the ID token. */
  claims?: { subjects: Subjects; userClaims: UserClaims; claimMapper: ClaimMapper };
}

/** Issues the tokens that a user's grant permits now. Call it only after all checks. */
export async function issueFromGrant(
  issuers: Issuers,
  request: TokenRequest,
  grant: LiveGrant,
  o: {
    scopes: readonly string[];
    resources: readonly string[];
    refreshToken?: string;
    nonce?: string | undefined;
    /**
     * The grant was revoked when it was opened, so its tokens are invalid and need no entry in the liveness cache.
     */
    endedBefore?: boolean;
    /** Attributes of the user for mapped claims that were read before. */
    known?: ReadUser | undefined;
  },
): Promise<TokenResponse> {
  const { tenant, client } = request;
  const permitted = permittedScopes(o.scopes, client, countingRoles(request.policy, grant));
  requireScopesLeft(permitted, o.scopes, 'None of the granted scopes is still allowed');
  const context: GrantContext = {
    subjectId: grant.subjectId,
    subjectEpoch: grant.subjectEpoch,
    grantId: grant.grantId,
    sessionId: grant.sessionId,
    authTime: grant.authTime,
    amr: grant.amr,
    acr: grant.acr,
    expiresAt: grant.expiresAt,
    apiRoles: grant.apiRoles,
  };
  const { token, expiresIn, scopes } = await issuers.accessTokens.issue(tenant, {
    client,
    scopes: permitted,
    resources: permittedResources(o.resources, client, request.issuer),
    grant: context,
    dpopJkt: request.dpopJkt,
    known: o.known,
  });
  if (!o.endedBefore) issuers.liveness.issued(tenant, { ...grant, clientId: client.clientId });
  return {
    access_token: token,
    token_type: request.dpopJkt === undefined ? 'Bearer' : 'DPoP',
    expires_in: expiresIn,
    ...(o.refreshToken === undefined ? {} : { refresh_token: o.refreshToken }),
    ...(scopes.includes('openid')
      ? {
          id_token: await issuers.idTokens.issue(tenant, {
            client,
            grant: context,
            accessToken: token,
            nonce: o.nonce,
            person: await claimsFor(issuers, request, grant, scopes, o.known),
          }),
        }
      : {}),
    scope: scopes.join(' '),
  };
}

async function claimsFor(
  { claims }: Issuers,
  { tenant, client }: TokenRequest,
  grant: LiveGrant,
  scopes: readonly string[],
  known: ReadUser | undefined,
): Promise<Record<string, unknown>> {
  // For clients that never call userinfo an administrator can set `id_token_profile_claims`.
  const ofScopes = client.metadata.id_token_profile_claims === true ? claimsOfScopes(new Set(scopes)) : [];
  const names = [...(grant.claims?.idToken ?? []), ...ofScopes];
  if (!claims) return {};
  const mapped = await claims.claimMapper.ofClient({ client, userId: grant.subjectId, known });
  if (names.length === 0) return mapped;
  const subject = await claims.subjects.find(tenant, grant.subjectId);
  return { ...mapped, ...(subject && (await claims.userClaims.of(subject, new Set(names)))) };
}
