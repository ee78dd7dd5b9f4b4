import { type IdPage, type Sql, wayOf } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import { Conditions } from '../../database/data/conditions.ts';
import type { GrantSummary } from '../../grants/index.ts';
import type { ApiTokenSummary } from '../../machines/data/index.ts';
import { narrowToOwner, type OwnerFilter } from '../../ownership/data/index.ts';
import type { SessionSummary } from '../../sessions/index.ts';

export interface SessionFilter {
  userId?: string;
  ipAddress?: string;
  /** Only sessions of people to whom this app was granted something in them. */
  clientId?: string;
  signedInSince?: Date;
  lastSeenBefore?: Date;
}

function sessionConditions(tenant: string, filter: SessionFilter, idleSeconds: number): Conditions {
  const where = new Conditions('s.tenant = $1', tenant);
  where.state('s.revoked_at IS NULL AND s.expires_at > now()');
  where.add((p) => `s.last_seen_at > now() - make_interval(secs => ${p}::float8)`, idleSeconds);
  where.uuid('s.subject_id', filter.userId);
  where.add((p) => `s.ip_address = ${p}::text`, filter.ipAddress);
  where.add((p) => `s.auth_time >= ${p}::timestamptz`, filter.signedInSince);
  where.add((p) => `s.last_seen_at < ${p}::timestamptz`, filter.lastSeenBefore);
  where.add(
    (
      p,
    ) => `EXISTS (SELECT FROM auth.grants g WHERE g.tenant = s.tenant AND g.session_id = s.id AND g.client_id = ${p}::text
              AND g.revoked_at IS NULL AND g.expires_at > now())`,
    filter.clientId,
  );
  return where;
}

/** A stretch of a tenant's live sessions, which are newest first. */
export async function sessionPage(
  sql: Sql,
  tenant: string,
  filter: SessionFilter,
  page: IdPage & { idleSeconds: number },
): Promise<SessionSummary[]> {
  const where = sessionConditions(tenant, filter, page.idleSeconds);
  const { beyond, order } = wayOf(page, { newestFirst: true });
  where.uuid('s.id', page.position, beyond);
  const { rows } = await sql.query<SessionSummary>(
    `SELECT s.id, s.subject_id AS "subjectId", s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt",
            s.user_agent AS "userAgent", s.ip_address AS "ipAddress", s.auth_time AS "authTime", s.expires_at AS "expiresAt",
            s.amr, s.acr
       FROM auth.sessions s WHERE ${where.text} ORDER BY s.id ${order} LIMIT ${Math.trunc(page.limit)}`,
    where.values,
  );
  return rows;
}

export async function countSessions(
  sql: Sql,
  tenant: string,
  filter: SessionFilter,
  idleSeconds: number,
): Promise<number> {
  const where = sessionConditions(tenant, filter, idleSeconds);
  return count(sql, `auth.sessions s WHERE ${where.text}`, where.values);
}

/** The apps that hold something granted in these sessions, by session. @param most of each */
export async function clientsOfSessions(
  sql: Sql,
  tenant: string,
  sessionIds: readonly string[],
  most: number,
): Promise<{ sessionId: string; clientId: string; name: string | null }[]> {
  const { rows } = await sql.query<{ sessionId: string; clientId: string; name: string | null }>(
    `SELECT a.* FROM unnest($2::uuid[]) AS session CROSS JOIN LATERAL (
       SELECT DISTINCT g.session_id AS "sessionId", g.client_id AS "clientId", c.name
         FROM auth.grants g LEFT JOIN auth.clients c ON c.tenant = g.tenant AND c.client_id = g.client_id
        WHERE g.tenant = $1 AND g.session_id = session AND g.revoked_at IS NULL AND g.expires_at > now()
        ORDER BY 3 NULLS LAST, 2 LIMIT $3) a
      ORDER BY 1, 3 NULLS LAST, 2`,
    [tenant, [...sessionIds], most],
  );
  return rows;
}

export interface GrantFilter {
  userId?: string;
  /** Only those given in this session. */
  sessionId?: string;
  clientId?: string;
}

function grantConditions(tenant: string, filter: GrantFilter): Conditions {
  const where = new Conditions('g.tenant = $1', tenant);
  where.state('g.revoked_at IS NULL AND g.expires_at > now()');
  where.uuid('g.subject_id', filter.userId);
  where.uuid('g.session_id', filter.sessionId);
  where.add((p) => `g.client_id = ${p}::text`, filter.clientId);
  return where;
}

const grantColumns = `g.id, g.client_id AS "clientId", g.subject_id AS "subjectId", g.session_id AS "sessionId", g.scopes,
  g.created_at AS "createdAt", g.expires_at AS "expiresAt"`;

/** A stretch of what people of a tenant allowed apps and still holds, newest first. */
export async function grantPage(
  sql: Sql,
  tenant: string,
  filter: GrantFilter,
  page: IdPage,
): Promise<GrantSummary[]> {
  const where = grantConditions(tenant, filter);
  const { beyond, order } = wayOf(page, { newestFirst: true });
  where.uuid('g.id', page.position, beyond);
  const { rows } = await sql.query<GrantSummary>(
    `SELECT ${grantColumns} FROM auth.grants g WHERE ${where.text} ORDER BY g.id ${order} LIMIT ${Math.trunc(page.limit)}`,
    where.values,
  );
  return rows;
}

/** The live ones of these grants. */
export async function grantsById(sql: Sql, tenant: string, ids: readonly string[]): Promise<GrantSummary[]> {
  const { rows } = await sql.query<GrantSummary>(
    `SELECT ${grantColumns} FROM auth.grants g
      WHERE g.tenant = $1 AND g.id = ANY($2::uuid[]) AND g.revoked_at IS NULL AND g.expires_at > now()`,
    [tenant, [...ids]],
  );
  return rows;
}

export async function countGrants(sql: Sql, tenant: string, filter: GrantFilter): Promise<number> {
  const where = grantConditions(tenant, filter);
  return count(sql, `auth.grants g WHERE ${where.text}`, where.values);
}

export interface TokenFilter {
  /** The person or service account that it is of. */
  of?: string;
  /** Whose the API key is. */
  owned?: OwnerFilter;
  expiresBefore?: Date;
  /** Not used since then. */
  unusedSince?: Date;
}

export type TokenOwner = 'subject_id' | 'service_account_id';

function tokenConditions(tenant: string, owner: TokenOwner, filter: TokenFilter): Conditions {
  const where = new Conditions('t.tenant = $1', tenant);
  where.state(`t.${owner} IS NOT NULL AND t.revoked_at IS NULL AND t.expires_at > now()`);
  where.uuid(`t.${owner}`, filter.of);
  if (filter.owned) narrowToOwner(where, 'api_key', 't.id::text', filter.owned);
  where.add((p) => `t.expires_at < ${p}::timestamptz`, filter.expiresBefore);
  where.add((p) => `coalesce(t.last_used_at, t.created_at) < ${p}::timestamptz`, filter.unusedSince);
  return where;
}

/** A stretch of a tenant's live personal access tokens or API keys, which are newest first. */
export async function tokenPage(
  sql: Sql,
  tenant: string,
  owner: TokenOwner,
  filter: TokenFilter,
  page: IdPage,
): Promise<ApiTokenSummary[]> {
  const where = tokenConditions(tenant, owner, filter);
  const { beyond, order } = wayOf(page, { newestFirst: true });
  where.uuid('t.id', page.position, beyond);
  const { rows } = await sql.query<ApiTokenSummary>(
    `SELECT t.id, t.${owner} AS "ownerId", t.name, t.hint, t.scopes, t.created_at AS "createdAt",
            t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt"
       FROM auth.api_tokens t WHERE ${where.text} ORDER BY t.id ${order} LIMIT ${Math.trunc(page.limit)}`,
    where.values,
  );
  return rows;
}

export async function countTokens(
  sql: Sql,
  tenant: string,
  owner: TokenOwner,
  filter: TokenFilter,
): Promise<number> {
  const where = tokenConditions(tenant, owner, filter);
  return count(sql, `auth.api_tokens t WHERE ${where.text}`, where.values);
}

/** Ways to sign in, without anything that is secret. */
export interface CredentialSummary {
  subjectId: string;
  passwordSince: Date | null;
  totpSince: Date | null;
  recoveryCodesLeft: number;
  passkeys: { id: string; name: string; synced: boolean; createdAt: string; lastUsedAt: string | null }[];
}

/** The ways to sign in of many people in one statement. */
export async function credentialsOf(
  sql: Sql,
  tenant: string,
  subjectIds: readonly string[],
): Promise<CredentialSummary[]> {
  const { rows } = await sql.query<CredentialSummary>(
    `SELECT person.id AS "subjectId",
            (SELECT max(c.activated_at) FROM auth.credentials c
              WHERE c.tenant = $1 AND c.subject_id = person.id AND c.kind = 'password' AND c.activated_at IS NOT NULL
                AND c.replaced_at IS NULL) AS "passwordSince",
            (SELECT f.created_at FROM auth.totp_factors f WHERE f.tenant = $1 AND f.subject_id = person.id) AS "totpSince",
            (SELECT count(*)::int FROM auth.recovery_codes r
              WHERE r.tenant = $1 AND r.subject_id = person.id AND r.used_at IS NULL) AS "recoveryCodesLeft",
            coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'synced', p.synced,
                        'createdAt', p.created_at, 'lastUsedAt', p.last_used_at) ORDER BY p.created_at, p.id)
                       FROM auth.passkeys p WHERE p.tenant = $1 AND p.subject_id = person.id), '[]') AS passkeys
       FROM auth.subjects person WHERE person.tenant = $1 AND person.id = ANY($2::uuid[]) AND NOT person.deleted`,
    [tenant, [...subjectIds]],
  );
  return rows;
}

/** How much of what there is in a tenant. */
export interface TenantFigures {
  sessions: number;
  grants: number;
  personalAccessTokens: number;
  apiKeys: number;
  clients: number;
  serviceAccounts: number;
}

/** Counts what is live in a tenant; reads all of its rows, so it is not for every request. */
export async function tenantFigures(sql: Sql, tenant: string, idleSeconds: number): Promise<TenantFigures> {
  const { rows } = await sql.query<TenantFigures>(
    `SELECT
       (SELECT count(*)::int FROM auth.sessions WHERE tenant = $1 AND revoked_at IS NULL AND expires_at > now()
           AND last_seen_at > now() - make_interval(secs => $2)) AS sessions,
       (SELECT count(*)::int FROM auth.grants WHERE tenant = $1 AND revoked_at IS NULL AND expires_at > now()) AS grants,
       (SELECT count(*)::int FROM auth.api_tokens WHERE tenant = $1 AND subject_id IS NOT NULL AND revoked_at IS NULL
           AND expires_at > now()) AS "personalAccessTokens",
       (SELECT count(*)::int FROM auth.api_tokens WHERE tenant = $1 AND service_account_id IS NOT NULL
           AND revoked_at IS NULL AND expires_at > now()) AS "apiKeys",
       (SELECT count(*)::int FROM auth.clients WHERE tenant = $1 AND disabled_at IS NULL) AS clients,
       (SELECT count(*)::int FROM auth.service_accounts WHERE tenant = $1 AND disabled_at IS NULL) AS "serviceAccounts"`,
    [tenant, idleSeconds],
  );
  return rows[0] as TenantFigures;
}

/** Whose live grant this is, and to which app. */
export async function grantOwner(
  sql: Sql,
  tenant: string,
  grantId: string,
): Promise<{ subjectId: string; clientId: string } | undefined> {
  if (!isUuid(grantId)) return undefined;
  const { rows } = await sql.query<{ subjectId: string; clientId: string }>(
    `SELECT subject_id AS "subjectId", client_id AS "clientId" FROM auth.grants
      WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > now()`,
    [tenant, grantId],
  );
  return rows[0];
}

async function count(sql: Sql, from: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(`SELECT count(*)::int AS total FROM ${from}`, values);
  return rows[0]?.total ?? 0;
}
