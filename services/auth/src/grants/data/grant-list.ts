import { type IdPage, type Sql, wayOf } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import { Conditions, countRows } from '../../database/data/index.ts';
import type { GrantFilter, GrantList } from '../domain/grant-list.ts';
import type { GrantSummary } from '../domain/grant-revocation.ts';

/** @see GrantList */
export class PostgresGrantList implements GrantList {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  page(tenant: string, filter: GrantFilter, page: IdPage): Promise<GrantSummary[]> {
    return grantPage(this.#sql, tenant, filter, page);
  }

  count(tenant: string, filter: GrantFilter): Promise<number> {
    return countGrants(this.#sql, tenant, filter);
  }

  byIds(tenant: string, ids: readonly string[]): Promise<GrantSummary[]> {
    return grantsById(this.#sql, tenant, ids);
  }

  owner(tenant: string, grantId: string): Promise<{ subjectId: string; clientId: string } | undefined> {
    return grantOwner(this.#sql, tenant, grantId);
  }
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
async function grantsById(sql: Sql, tenant: string, ids: readonly string[]): Promise<GrantSummary[]> {
  const { rows } = await sql.query<GrantSummary>(
    `SELECT ${grantColumns} FROM auth.grants g
      WHERE g.tenant = $1 AND g.id = ANY($2::uuid[]) AND g.revoked_at IS NULL AND g.expires_at > now()`,
    [tenant, [...ids]],
  );
  return rows;
}

async function countGrants(sql: Sql, tenant: string, filter: GrantFilter): Promise<number> {
  const where = grantConditions(tenant, filter);
  return countRows(sql, `auth.grants g WHERE ${where.text}`, where.values);
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
