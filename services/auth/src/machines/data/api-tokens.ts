import type { Sql } from '@ostiary/database';
import { type CountingRoles, permittedScopes } from '../../roles/index.ts';
import { rolesHeld } from '../../subjects/data/index.ts';
import type {
  ApiTokenOwner,
  ApiTokenStore,
  FoundApiToken,
  HeldByOwner,
  NewApiToken,
} from '../domain/api-token-store.ts';
import type { ApiTokenSummary } from '../domain/token-list.ts';

interface FoundRow {
  tenant: string;
  id: string;
  subjectId: string | null;
  serviceAccountId: string | null;
  scopes: string[];
  issuedAt: number;
  expiresAt: number;
  epoch: number;
  userName: string | null;
  roles: string[];
  accountScopes: string[] | null;
  acr: string | null;
  secondFactor: boolean;
}

export async function findLiveApiToken(
  sql: Sql,
  digest: Buffer,
  counting: (tenant: string, held: HeldByOwner) => Promise<CountingRoles>,
): Promise<FoundApiToken | undefined> {
  const { rows } = await sql.query<FoundRow>(
    `SELECT t.tenant, t.id, t.subject_id AS "subjectId", t.service_account_id AS "serviceAccountId", t.scopes,
            floor(extract(epoch FROM t.created_at))::float8 AS "issuedAt",
            floor(extract(epoch FROM t.expires_at))::float8 AS "expiresAt",
            coalesce(a.epoch, t.owner_epoch) AS epoch, s.user_name AS "userName", a.scopes AS "accountScopes",
            ARRAY(${rolesHeld('t.tenant', 't.subject_id')}) AS roles, t.acr,
            EXISTS (SELECT 1 FROM auth.totp_factors f WHERE f.tenant = t.tenant AND f.subject_id = t.subject_id)
              OR EXISTS (SELECT 1 FROM auth.passkeys p WHERE p.tenant = t.tenant AND p.subject_id = t.subject_id)
              AS "secondFactor"
       FROM auth.api_tokens t
       LEFT JOIN auth.subjects s ON s.tenant = t.tenant AND s.id = t.subject_id
       LEFT JOIN auth.service_accounts a ON a.tenant = t.tenant AND a.id = t.service_account_id
      WHERE t.digest = $1 AND t.revoked_at IS NULL AND t.expires_at > now()
        AND ((s.active AND NOT s.deleted AND s.epoch = t.owner_epoch) OR (a.id IS NOT NULL AND a.disabled_at IS NULL))
        AND NOT EXISTS (SELECT 1 FROM auth.tenants n WHERE n.id = t.tenant AND n.status = 'suspended')`,
    [digest],
  );
  const row = rows[0];
  const subject = row?.subjectId ?? row?.serviceAccountId;
  if (!row || !subject) return undefined;
  return {
    tenant: row.tenant,
    kind: row.subjectId === null ? 'service_account' : 'personal',
    id: row.id,
    subject,
    // The owner's reach may have shrunk since the token was made.
    scopes:
      row.accountScopes === null
        ? permittedScopes(row.scopes, { scopes: row.scopes }, await counting(row.tenant, row))
        : row.scopes.filter((scope) => row.accountScopes?.includes(scope)),
    issuedAt: row.issuedAt,
    expiresAt: row.expiresAt,
    epoch: row.epoch,
    userName: row.userName,
  };
}

export async function insertApiToken(
  tx: Sql,
  tenant: string,
  owner: ApiTokenOwner,
  token: NewApiToken,
): Promise<ApiTokenSummary> {
  const { rows } = await tx.query<ApiTokenSummary>(
    `INSERT INTO auth.api_tokens AS t (tenant, id, ${owner}, name, digest, hint, scopes, owner_epoch, expires_at, client_id, grant_id, acr)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
       LEAST($9, (SELECT g.expires_at FROM auth.grants g WHERE g.tenant = $1 AND g.id = $11::uuid)), $10, $11::uuid, $12)
     RETURNING ${summaryOf(owner)}`,
    [
      tenant,
      token.id,
      token.ownerId,
      token.name,
      token.digest,
      token.hint,
      token.scopes,
      token.ownerEpoch,
      token.expiresAt,
      token.clientId ?? null,
      token.grantId ?? null,
      token.acr ?? null,
    ],
  );
  return rows[0] as ApiTokenSummary;
}

export async function countApiTokens(
  tx: Sql,
  tenant: string,
  owner: ApiTokenOwner,
  ownerId: string,
): Promise<number> {
  const { rows } = await tx.query<{ live: number }>(
    `SELECT count(*)::int AS live FROM auth.api_tokens
      WHERE tenant = $1 AND ${owner} = $2 AND revoked_at IS NULL AND expires_at > now()`,
    [tenant, ownerId],
  );
  return rows[0]?.live ?? 0;
}

export async function listApiTokens(
  sql: Sql,
  tenant: string,
  owner: ApiTokenOwner,
  ownerIds: readonly string[],
): Promise<ApiTokenSummary[]> {
  const { rows } = await sql.query<ApiTokenSummary>(
    `SELECT ${summaryOf(owner)} FROM auth.api_tokens t
      WHERE t.tenant = $1 AND t.${owner} = ANY($2::uuid[]) AND t.revoked_at IS NULL ORDER BY t.id DESC`,
    [tenant, [...ownerIds]],
  );
  return rows;
}

export async function apiTokensById(
  sql: Sql,
  tenant: string,
  owner: ApiTokenOwner,
  ids: readonly string[],
): Promise<ApiTokenSummary[]> {
  const { rows } = await sql.query<ApiTokenSummary>(
    `SELECT ${summaryOf(owner)} FROM auth.api_tokens t
      WHERE t.tenant = $1 AND t.id = ANY($2::uuid[]) AND t.${owner} IS NOT NULL AND t.revoked_at IS NULL`,
    [tenant, [...ids]],
  );
  return rows;
}

export async function apiTokenOwner(
  sql: Sql,
  tenant: string,
  owner: ApiTokenOwner,
  id: string,
): Promise<string | undefined> {
  const { rows } = await sql.query<{ ownerId: string }>(
    `SELECT ${owner} AS "ownerId" FROM auth.api_tokens
      WHERE tenant = $1 AND id = $2 AND ${owner} IS NOT NULL AND revoked_at IS NULL`,
    [tenant, id],
  );
  return rows[0]?.ownerId;
}

export async function revokeApiToken(
  tx: Sql,
  tenant: string,
  id: string,
): Promise<{ subjectId: string | null; serviceAccountId: string | null; name: string } | undefined> {
  const { rows } = await tx.query<{
    subjectId: string | null;
    serviceAccountId: string | null;
    name: string;
  }>(
    `UPDATE auth.api_tokens SET revoked_at = now() WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL
     RETURNING subject_id AS "subjectId", service_account_id AS "serviceAccountId", name`,
    [tenant, id],
  );
  return rows[0];
}

/**
 * Revokes what an app made in anybody's name; returns the tokens' ids.
 * @param o `beyond`: only what may do more than these scopes
 */
export async function revokeApiTokensOfClient(
  tx: Sql,
  tenant: string,
  clientId: string,
  o: { beyond?: readonly string[] } = {},
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `UPDATE auth.api_tokens SET revoked_at = now()
      WHERE tenant = $1 AND client_id = $2 AND revoked_at IS NULL
        AND ($3::text[] IS NULL OR NOT scopes <@ $3::text[]) RETURNING id`,
    [tenant, clientId, o.beyond ?? null],
  );
  return rows.map((row) => row.id);
}

export async function revokeApiTokensBy(
  tx: Sql,
  tenant: string,
  subjectId: string,
  clientId: string,
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `UPDATE auth.api_tokens SET revoked_at = now()
      WHERE tenant = $1 AND subject_id = $2 AND client_id = $3 AND revoked_at IS NULL RETURNING id`,
    [tenant, subjectId, clientId],
  );
  return rows.map((row) => row.id);
}

/** Revokes what apps made under these authorizations; returns the tokens' ids. */
export async function revokeApiTokensOfGrants(
  tx: Sql,
  tenant: string,
  grantIds: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `UPDATE auth.api_tokens SET revoked_at = now()
      WHERE tenant = $1 AND grant_id = ANY($2::uuid[]) AND revoked_at IS NULL RETURNING id`,
    [tenant, [...grantIds]],
  );
  return rows.map((row) => row.id);
}

/** Notes when tokens were last used. An instant older than the one noted changes nothing. */
export async function touchApiTokens(
  sql: Sql,
  used: readonly { tenant: string; id: string; at: Date }[],
): Promise<void> {
  await sql.query(
    `UPDATE auth.api_tokens t SET last_used_at = u.at
       FROM unnest($1::text[], $2::uuid[], $3::timestamptz[]) AS u(tenant, id, at)
      WHERE t.tenant = u.tenant AND t.id = u.id AND (t.last_used_at IS NULL OR t.last_used_at < u.at)`,
    [used.map((use) => use.tenant), used.map((use) => use.id), used.map((use) => use.at)],
  );
}

/** Deletes tokens that ended a month ago; returns how many. */
export async function pruneApiTokens(sql: Sql, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM auth.api_tokens WHERE (tenant, id) IN (
       SELECT tenant, id FROM auth.api_tokens
        WHERE expires_at < now() - interval '30 days' OR revoked_at < now() - interval '30 days'
        LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  );
  return rowCount;
}

const summaryOf = (owner: ApiTokenOwner): string =>
  `t.id, t.${owner} AS "ownerId", t.name, t.hint, t.scopes, t.created_at AS "createdAt", t.expires_at AS "expiresAt",
   t.last_used_at AS "lastUsedAt"`;

export const postgresApiTokens: ApiTokenStore = {
  findLiveApiToken,
  insertApiToken,
  countApiTokens,
  listApiTokens,
  apiTokensById,
  apiTokenOwner,
  revokeApiToken,
  revokeApiTokensBy,
};
