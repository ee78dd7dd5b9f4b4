import { isWellFormedApiToken, type LiveApiToken, personalAccessTokenClient } from '@ostiary/access';
import type { Key, Transaction } from '@ostiary/service';
import type { AccessTokenClaims } from '../../grants/index.ts';
import { keyedDigest } from '../../keys/index.ts';
import { countingRoles, type RolePolicy } from '../../roles/index.ts';
import type { Tenants } from '../../tenants/index.ts';
import type { ApiTokenStore, FoundApiToken } from './api-token-store.ts';

export interface ApiTokenReaderOptions {
  sql: Transaction;
  apiTokenStore: Pick<ApiTokenStore, 'findLiveApiToken'>;
  /** Of the tokens' digests. */
  digestKey: Key;
  policyOf: (tenant: string) => Promise<RolePolicy | undefined>;
  /** Called at each use; must not wait. */
  onUse: (tenant: string, id: string) => void;
}

/** Looks personal access tokens and API keys up in the database: no list to be stale, no cache. */
export class ApiTokenReader {
  readonly #o: ApiTokenReaderOptions;

  constructor(o: ApiTokenReaderOptions) {
    this.#o = o;
  }

  /** The live token, in whichever tenant; and notes its use. Whether its tenant is active is the caller's to ask. */
  async find(token: string): Promise<FoundApiToken | undefined> {
    if (!isWellFormedApiToken(token)) return undefined;
    const { sql, apiTokenStore, digestKey, policyOf, onUse } = this.#o;
    const found = await apiTokenStore.findLiveApiToken(
      sql,
      keyedDigest(digestKey(), token),
      async (tenant, held) =>
        countingRoles(await policyOf(tenant), {
          roles: held.roles,
          // Without a second factor there is none that could be asked for.
          acr: held.secondFactor ? held.acr : null,
          carriedRoles: held.carriedRoles,
        }),
    );
    if (found) onUse(found.tenant, found.id);
    return found;
  }
}

/** What a verifier needs to know of a token; undefined when it isn't live, or its tenant suspended. */
export async function liveApiToken(
  o: { apiTokenReader: Pick<ApiTokenReader, 'find'>; tenants: Tenants },
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
