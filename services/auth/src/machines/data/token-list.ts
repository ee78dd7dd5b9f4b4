import { type IdPage, type Sql, wayOf } from '@ostiary/database';
import { Conditions, countRows } from '../../database/data/index.ts';
import { narrowToOwner } from '../../ownership/data/index.ts';
import type { ApiTokenSummary, TokenFilter, TokenList, TokenOwner } from '../domain/token-list.ts';
import { apiTokensById } from './api-tokens.ts';

/** @see TokenList */
export class PostgresTokenList implements TokenList {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  page(tenant: string, owner: TokenOwner, filter: TokenFilter, page: IdPage): Promise<ApiTokenSummary[]> {
    return tokenPage(this.#sql, tenant, owner, filter, page);
  }

  count(tenant: string, owner: TokenOwner, filter: TokenFilter): Promise<number> {
    return countTokens(this.#sql, tenant, owner, filter);
  }

  byIds(tenant: string, owner: TokenOwner, ids: readonly string[]): Promise<ApiTokenSummary[]> {
    return apiTokensById(this.#sql, tenant, owner, ids);
  }
}

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
async function tokenPage(
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

async function countTokens(
  sql: Sql,
  tenant: string,
  owner: TokenOwner,
  filter: TokenFilter,
): Promise<number> {
  const where = tokenConditions(tenant, owner, filter);
  return countRows(sql, `auth.api_tokens t WHERE ${where.text}`, where.values);
}
