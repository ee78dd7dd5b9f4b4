import { isWellFormedApiToken, type LiveApiToken, personalAccessTokenClient } from '@ostiary/access';
import type { Key, Transaction } from '@ostiary/service';
import type { AccessTokenClaims } from '../../grants/index.ts';
import { keyedDigest } from '../../keys/index.ts';
import { countingRoles, type RolePolicy } from '../../roles/index.ts';
import type { Tenants } from '../../tenants/index.ts';
import type { ApiTokenStore, FoundApiToken } from './api-token-store.ts';

/** Looks personal access tokens and API keys up in the database: no list to be stale, no cache. */
export interface ApiTokenReader {
  /** The live token, in whichever tenant; and notes its use. Whether its tenant is active is the caller's to ask. */
  find(token: string): Promise<FoundApiToken | undefined>;
}

export const createApiTokenReader = (o: {
  sql: Transaction;
  apiTokenStore: Pick<ApiTokenStore, 'findLiveApiToken'>;
  /** Of the tokens' digests. */
  digestKey: Key;
  policyOf: (tenant: string) => Promise<RolePolicy | undefined>;
  /** Told of each use; must not wait. */
  onUse: (tenant: string, id: string) => void;
}): ApiTokenReader => ({
  async find(token) {
    if (!isWellFormedApiToken(token)) return undefined;
    const found = await o.apiTokenStore.findLiveApiToken(
      o.sql,
      keyedDigest(o.digestKey(), token),
      async (tenant, held) =>
        countingRoles(await o.policyOf(tenant), {
          roles: held.roles,
          // Whoever has no second factor any more is nobody it could be asked of.
          acr: held.secondFactor ? held.acr : null,
        }),
    );
    if (found) o.onUse(found.tenant, found.id);
    return found;
  },
});

/** What a verifier needs to know of a token; undefined when it isn't live, or its tenant suspended. */
export async function liveApiToken(
  o: { apiTokenReader: ApiTokenReader; tenants: Tenants },
  token: string,
): Promise<LiveApiToken | undefined> {
  const found = await o.apiTokenReader.find(token);
  if (!found || (await o.tenants.find(found.tenant))?.status !== 'active') return undefined;
  const { tenant, kind, id, subject, scopes, expiresAt, epoch } = found;
  return { tenant, kind, id, subject, scopes, expiresAt, epoch };
}

/** The claims (RFC 9068 §2.2) an access token with the same powers would have. */
export const apiTokenClaims = (found: FoundApiToken, issuer: string): AccessTokenClaims => {
  const isPersonal = found.kind === 'personal';
  return {
    iss: issuer,
    sub: found.subject,
    aud: issuer,
    exp: found.expiresAt,
    iat: found.issuedAt,
    jti: found.id,
    client_id: isPersonal ? personalAccessTokenClient : found.subject,
    client_epoch: isPersonal ? 0 : found.epoch,
    ...(isPersonal ? { sub_epoch: found.epoch } : {}),
    ...(found.scopes.length === 0 ? {} : { scope: found.scopes.join(' ') }),
  };
};
