import { isWellFormedApiToken, type LiveApiToken, personalAccessTokenClient } from '@ostiary/access';
import type { Key, Transaction } from '@ostiary/service';
import type { Tenants } from '../../../tenancy/index.ts';
import { keyedDigest } from '../../../tenancy/index.ts';
import type { AccessTokenClaims } from '../../grants/domain/access-token-claims.ts';
import { countingRoles, type RolePolicy } from '../../roles/domain/counting-roles.ts';
import type { FoundApiToken, LiveApiTokenStore } from './api-token-store.ts';

export interface ApiTokenReaderOptions {
  sql: Transaction;
  liveApiTokens: LiveApiTokenStore;
  /** Key of the tokens' digests. */
  digestKey: Key;
  policyOf: (tenant: string) => Promise<RolePolicy | undefined>;
  /** Called at each use; must not wait. */
  onUse: (tenant: string, id: string) => void;
}

/** Reads personal access tokens and API keys from the database, without a cache. */
export class ApiTokenReader {
  readonly #o: ApiTokenReaderOptions;

  constructor(o: ApiTokenReaderOptions) {
    this.#o = o;
  }

  /** Returns the live token of any tenant and records its use. The caller checks whether the tenant is active. */
  async find(token: string): Promise<FoundApiToken | undefined> {
    if (!isWellFormedApiToken(token)) return undefined;
    const { sql, liveApiTokens, digestKey, policyOf, onUse } = this.#o;
    const found = await liveApiTokens.findLiveApiToken(
      sql,
      keyedDigest(digestKey(), token),
      async (tenant, held) =>
        countingRoles(await policyOf(tenant), {
          roles: held.roles,
          // Without a second factor, the user cannot be asked for one.
          acr: held.secondFactor ? held.acr : null,
          carriedRoles: held.carriedRoles,
        }),
    );
    if (found) onUse(found.tenant, found.id);
    return found;
  }
}

/** Returns the data that a verifier needs; undefined when the token is not live or its tenant is suspended. */
export async function liveApiToken(
  o: { apiTokenReader: ApiTokenReader; tenants: Tenants },
  token: string,
): Promise<LiveApiToken | undefined> {
  const found = await o.apiTokenReader.find(token);
  if (!found || (await o.tenants.find(found.tenant))?.status !== 'active') return undefined;
  const { tenant, kind, id, subject, scopes, expiresAt, epoch } = found;
  return { tenant, kind, id, subject, scopes, expiresAt, epoch };
}

/** Returns the claims (RFC 9068 §2.2) of an equivalent access token. */
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
