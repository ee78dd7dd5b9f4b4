import { fragment, type Sql, statement } from '@ostiary/database';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { pruning } from '../../../platform/database/data/pruning.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import type { ApiTokenOwner, ApiTokenStore, NewApiToken } from '../domain/api-token-store.ts';
import type { ApiTokenSummary } from '../domain/token-list.ts';
import { recordingUses } from './recorded-uses.ts';

/** Columns of a token `t`. */
export const tokenSummary = fragment(
  `t.id, coalesce(t.subject_id, t.service_account_id) AS "ownerId", t.name, t.hint, t.scopes, t.created_at AS "createdAt",
   t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt"`,
  {
    id: 'uuid',
    ownerId: 'uuid',
    name: 'text',
    hint: 'text',
    scopes: 'text[]!',
    createdAt: 'timestamptz',
    expiresAt: 'timestamptz',
    lastUsedAt: 'timestamptz?',
  },
);

const summary = {
  id: true,
  subjectId: true,
  serviceAccountId: true,
  name: true,
  hint: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
} as const;

type SummaryRow = Prisma.ApiTokenGetPayload<{ select: typeof summary }>;

/** A token has one owner: a user or a service account. */
const toSummary = ({ subjectId, serviceAccountId, ...row }: SummaryRow): ApiTokenSummary => ({
  ...row,
  ownerId: (subjectId ?? serviceAccountId) as string,
});

const ownedBy = (owner: ApiTokenOwner, whom: Prisma.UuidNullableFilter): Prisma.ApiTokenWhereInput =>
  owner === 'subject_id' ? { subjectId: whom } : { serviceAccountId: whom };

/** The token expires no later than the grant under which it is created. */
const addToken = statement({
  name: 'api_tokens.add',
  reason: 'atomic',
  text: `INSERT INTO auth.api_tokens AS t
           (tenant, id, subject_id, service_account_id, name, digest, hint, scopes, owner_epoch, expires_at, client_id, grant_id, acr,
            carried_roles)
         VALUES ($tenant, $id, $subjectId, $serviceAccountId, $name, $digest, $hint, $scopes, $ownerEpoch,
           LEAST($expiresAt, (SELECT g.expires_at FROM auth.grants g WHERE g.tenant = $tenant AND g.id = $grantId)),
           $clientId, $grantId, $acr,
           CASE WHEN $sessionId::uuid IS NOT NULL
                  THEN (SELECT o.carried_roles FROM auth.sessions o WHERE o.tenant = $tenant AND o.id = $sessionId::uuid)
                WHEN $grantId IS NOT NULL
                  THEN (SELECT g.carried_roles FROM auth.grants g WHERE g.tenant = $tenant AND g.id = $grantId)
                ELSE '{}'::text[] END)
         RETURNING ${tokenSummary}`,
  parameters: {
    tenant: 'text',
    id: 'uuid',
    subjectId: 'uuid?',
    serviceAccountId: 'uuid?',
    name: 'text',
    digest: 'bytea',
    hint: 'text',
    scopes: 'text[]',
    ownerEpoch: 'int4',
    expiresAt: 'timestamptz',
    grantId: 'uuid?',
    sessionId: 'uuid?',
    clientId: 'text?',
    acr: 'text?',
  },
  columns: tokenSummary.columns,
});

export async function insertApiToken(
  tx: Sql,
  tenant: string,
  owner: ApiTokenOwner,
  { ownerId, ...token }: NewApiToken,
): Promise<ApiTokenSummary> {
  const added = await addToken.first(tx, {
    clientId: undefined,
    grantId: undefined,
    sessionId: undefined,
    acr: undefined,
    ...token,
    tenant,
    subjectId: owner === 'subject_id' ? ownerId : null,
    serviceAccountId: owner === 'service_account_id' ? ownerId : null,
  });
  return added as ApiTokenSummary;
}

export async function countApiTokens(
  tx: Connection,
  tenant: string,
  owner: ApiTokenOwner,
  ownerId: string,
): Promise<number> {
  const prisma = await tx.prisma();
  return prisma.apiToken.count({
    where: { tenant, ...ownedBy(owner, { equals: ownerId }), revokedAt: null, expiresAt: { gt: new Date() } },
  });
}

export async function listApiTokens(
  sql: Connection,
  tenant: string,
  owner: ApiTokenOwner,
  ownerIds: readonly string[],
): Promise<ApiTokenSummary[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.apiToken.findMany({
    where: { tenant, ...ownedBy(owner, { in: [...ownerIds] }), revokedAt: null },
    select: summary,
    orderBy: { id: 'desc' },
  });
  return rows.map(toSummary);
}

export async function apiTokensById(
  sql: Connection,
  tenant: string,
  owner: ApiTokenOwner,
  ids: readonly string[],
): Promise<ApiTokenSummary[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.apiToken.findMany({
    where: { tenant, id: { in: [...ids] }, ...ownedBy(owner, { not: null }), revokedAt: null },
    select: summary,
  });
  return rows.map(toSummary);
}

export async function apiTokenOwner(
  sql: Connection,
  tenant: string,
  owner: ApiTokenOwner,
  id: string,
): Promise<string | undefined> {
  const prisma = await sql.prisma();
  const row = await prisma.apiToken.findFirst({
    where: { tenant, id, ...ownedBy(owner, { not: null }), revokedAt: null },
    select: summary,
  });
  return row ? toSummary(row).ownerId : undefined;
}

export async function revokeApiToken(
  tx: Connection,
  tenant: string,
  id: string,
): Promise<{ subjectId: string | null; serviceAccountId: string | null; name: string } | undefined> {
  const prisma = await tx.prisma();
  const [revoked] = await prisma.apiToken.updateManyAndReturn({
    where: { tenant, id, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { subjectId: true, serviceAccountId: true, name: true },
  });
  return revoked;
}

const revokeOfClient = statement({
  name: 'api_tokens.revoke_of_client',
  reason: 'set',
  text: `UPDATE auth.api_tokens SET revoked_at = now()
          WHERE tenant = $tenant AND client_id = $clientId AND revoked_at IS NULL
            AND ($beyond::text[] IS NULL OR NOT scopes <@ $beyond::text[]) RETURNING id`,
  parameters: { tenant: 'text', clientId: 'text', beyond: 'text[]?' },
  columns: { id: 'uuid' },
});

/**
 * Revokes the API tokens that an app created for any user.
 * @param o `beyond`: revokes only tokens with scopes beyond these
 * @returns ids of the tokens
 */
export async function revokeApiTokensOfClient(
  tx: Sql,
  tenant: string,
  clientId: string,
  o: { beyond?: readonly string[] } = {},
): Promise<string[]> {
  const rows = await revokeOfClient.rows(tx, { tenant, clientId, beyond: o.beyond });
  return rows.map(({ id }) => id);
}

export async function revokeApiTokensBy(
  tx: Connection,
  tenant: string,
  subjectId: string,
  clientId: string,
): Promise<string[]> {
  const prisma = await tx.prisma();
  const rows = await prisma.apiToken.updateManyAndReturn({
    where: { tenant, subjectId, clientId, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

const revokeOfGrants = statement({
  name: 'api_tokens.revoke_of_grants',
  reason: 'hot path',
  text: `UPDATE auth.api_tokens SET revoked_at = now()
          WHERE tenant = $tenant AND grant_id = ANY($grantIds::uuid[]) AND revoked_at IS NULL RETURNING id`,
  parameters: { tenant: 'text', grantIds: 'uuid[]' },
  columns: { id: 'uuid' },
});

/**
 * Revokes the tokens created under these grants.
 * @returns ids of the tokens
 */
export async function revokeApiTokensOfGrants(
  tx: Sql,
  tenant: string,
  grantIds: readonly string[],
): Promise<string[]> {
  const rows = await revokeOfGrants.rows(tx, { tenant, grantIds });
  return rows.map(({ id }) => id);
}

export const touchApiTokens = recordingUses('api_tokens');

/**
 * Deletes tokens that ended a month ago.
 * @returns number of tokens
 */
export const pruneApiTokens = pruning(
  'api_tokens.prune',
  'api_tokens',
  "expires_at < now() - interval '30 days' OR revoked_at < now() - interval '30 days'",
);

export const postgresApiTokens: ApiTokenStore = {
  insertApiToken,
  countApiTokens,
  listApiTokens,
  apiTokensById,
  apiTokenOwner,
  revokeApiToken,
  revokeApiTokensBy,
};
