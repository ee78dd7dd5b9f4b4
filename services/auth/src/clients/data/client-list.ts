import { composedStatement, type Sql } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import { narrowToOwner } from '../../access/ownership/data/credential-owners.ts';
import { Conditions, countOf } from '../../platform/database/data/conditions.ts';
import type { Client, ClientFilter, ClientPage } from '../domain/client.ts';
import { clientColumns, toClient } from './client-row.ts';

interface Listed {
  tenant: string;
  filter: ClientFilter;
}

function conditionsOf({ tenant, filter }: Listed): Conditions {
  const { name, type, disabled, grantType, scope } = filter;
  const where = new Conditions('c.tenant = $1', tenant);
  // Escapes the wildcards of LIKE.
  where.add((value) => `c.name ILIKE '%' || ${value} || '%'`, name?.replace(/[\\%_]/g, '\\$&'));
  where.add((value) => `c.type = ${value}`, type);
  where.add((value) => `(c.disabled_at IS NOT NULL) = ${value}`, disabled);
  where.add((value) => `c.grant_types @> ARRAY[${value}::text]`, grantType);
  where.add((value) => `(c.scopes || c.own_scopes) @> ARRAY[${value}::text]`, scope);
  narrowToOwner(where, 'client', 'c.client_id', filter);
  return where;
}

/** All terms that a condition can have. */
const filters: ClientFilter[] = [
  { name: 'app', type: 'public', disabled: false, grantType: 'refresh_token', scope: 'openid' },
  { ownerId: uuidv7(), hasOwner: true },
  { hasOwner: false },
];

/**
 * The filter by owner is a semi-join: owners own several kinds of objects, so there is no relation from a client to its
 * owner.
 */
const countClients = countOf('clients.count', 'auth.clients c', conditionsOf, () =>
  filters.map((filter) => ({ tenant: 'demo', filter })),
);

/** Uses the same filter as `clients.count`. */
const pageOfClients = composedStatement({
  name: 'clients.page',
  reason: 'set',
  columns: clientColumns.columns,
  compose: ({ page: { limit, direction, position }, ...listed }: Listed & { page: ClientPage }) => {
    const where = conditionsOf(listed);
    const { values } = where;
    const [order, beyond] = direction === 'forward' ? ['ASC', '>'] : ['DESC', '<'];
    if (position) {
      values.push(position.createdAt, position.clientId);
      const [at, id] = [values.length - 1, values.length];
      where.state(`(c.created_at, c.client_id) ${beyond} ($${at}::timestamptz, $${id}::text)`);
    }
    const text = `SELECT ${clientColumns} FROM auth.clients c WHERE ${where.text}
        ORDER BY c.created_at ${order}, c.client_id ${order} LIMIT $${values.length + 1}`;
    return { text, values: [...values, limit] };
  },
  examples: (): (Listed & { page: ClientPage })[] => {
    const position = { createdAt: new Date(), clientId: 'app' };
    return filters.flatMap((filter) => [
      { tenant: 'demo', filter, page: { limit: 2, direction: 'forward' } },
      { tenant: 'demo', filter, page: { limit: 2, direction: 'backward', position } },
    ]);
  },
});

/** Returns clients in order of registration, and their total number. */
export async function listClients(
  sql: Sql,
  tenant: string,
  page: ClientPage,
  filter: ClientFilter,
): Promise<{ clients: Client[]; total: number }> {
  const [rows, counted] = await Promise.all([
    pageOfClients.rows(sql, { tenant, filter, page }),
    countClients.first(sql, { tenant, filter }),
  ]);
  return { clients: rows.map(toClient), total: counted?.total ?? 0 };
}
