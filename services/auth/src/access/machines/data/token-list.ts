import { composedStatement, wayOf } from '@ostiary/database';
import type { IdPage } from '@ostiary/service';
import { Conditions, countOf } from '../../../platform/database/data/conditions.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { narrowToOwner } from '../../ownership/data/credential-owners.ts';
import type { ApiTokenSummary, TokenFilter, TokenList, TokenOwner } from '../domain/token-list.ts';
import { apiTokensById, tokenSummary } from './api-tokens.ts';

interface AskedTokens {
  tenant: string;
  owner: TokenOwner;
  filter: TokenFilter;
}

interface AskedTokenPage extends AskedTokens {
  page: IdPage;
}

/**
 * Selects live tokens. Owners own several kinds of credentials, so there is no relation to them: the owner rows are
 * joined by kind.
 */
function tokenConditions({ tenant, owner, filter }: AskedTokens): Conditions {
  const where = new Conditions('t.tenant = $1', tenant);
  where.state(`t.${owner} IS NOT NULL AND t.revoked_at IS NULL AND t.expires_at > now()`);
  where.uuid(`t.${owner}`, filter.of);
  if (filter.owned) narrowToOwner(where, 'api_key', 't.id::text', filter.owned);
  where.add((p) => `t.expires_at < ${p}::timestamptz`, filter.expiresBefore);
  where.add((p) => `coalesce(t.last_used_at, t.created_at) < ${p}::timestamptz`, filter.unusedSince);
  return where;
}

const anId = '00000000-0000-7000-8000-000000000000';

const exampleTokens = (): AskedTokens[] => {
  const everything: TokenFilter = {
    of: anId,
    owned: { ownerId: anId, hasOwner: true },
    expiresBefore: new Date(),
    unusedSince: new Date(),
  };
  return [
    { tenant: 't', owner: 'subject_id', filter: {} },
    { tenant: 't', owner: 'subject_id', filter: { of: 'no id' } },
    { tenant: 't', owner: 'service_account_id', filter: everything },
    { tenant: 't', owner: 'service_account_id', filter: { owned: { hasOwner: false } } },
  ];
};

/** A page of a tenant's live personal access tokens or API keys, newest first. */
const tokenPage = composedStatement({
  name: 'api_tokens.page',
  reason: 'set',
  columns: tokenSummary.columns,
  compose: ({ page, ...asked }: AskedTokenPage) => {
    const where = tokenConditions(asked);
    const { beyond, order } = wayOf(page, { newestFirst: true });
    where.uuid('t.id', page.position, beyond);
    return {
      text: `SELECT ${tokenSummary} FROM auth.api_tokens t WHERE ${where.text}
              ORDER BY t.id ${order} LIMIT $${where.values.length + 1}`,
      values: [...where.values, page.limit],
    };
  },
  examples: () =>
    exampleTokens().flatMap((asked): AskedTokenPage[] => [
      { ...asked, page: { limit: 1, direction: 'forward' } },
      { ...asked, page: { limit: 1, direction: 'backward', position: anId } },
    ]),
});

const tokenCount = countOf('api_tokens.count', 'auth.api_tokens t', tokenConditions, exampleTokens);

export class PostgresTokenList implements TokenList {
  readonly #sql: Connection;

  constructor(sql: Connection) {
    this.#sql = sql;
  }

  page(tenant: string, owner: TokenOwner, filter: TokenFilter, page: IdPage): Promise<ApiTokenSummary[]> {
    return tokenPage.rows(this.#sql, { tenant, owner, filter, page });
  }

  async count(tenant: string, owner: TokenOwner, filter: TokenFilter): Promise<number> {
    return (await tokenCount.first(this.#sql, { tenant, owner, filter }))?.total ?? 0;
  }

  byIds(tenant: string, owner: TokenOwner, ids: readonly string[]): Promise<ApiTokenSummary[]> {
    return apiTokensById(this.#sql, tenant, owner, ids);
  }
}
