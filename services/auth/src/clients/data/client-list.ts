import type { Sql } from '@ostiary/database';
import { Conditions } from '../../database/data/index.ts';
import { narrowToOwner } from '../../ownership/data/index.ts';
import type { Client, ClientFilter, ClientPage } from '../domain/client.ts';
import { type ClientColumns, clientColumns, toClient } from './client-row.ts';

/** Clients in the order in which they were registered, and how many there are altogether. */
export async function listClients(
  sql: Sql,
  tenant: string,
  { limit, direction, position }: ClientPage,
  filter: ClientFilter,
): Promise<{ clients: Client[]; total: number }> {
  const { name, type, disabled, grantType, scope } = filter;
  const where = new Conditions('c.tenant = $1', tenant);
  // The wildcards of LIKE are the caller's text.
  where.add((value) => `c.name ILIKE '%' || ${value} || '%'`, name?.replace(/[\\%_]/g, '\\$&'));
  where.add((value) => `c.type = ${value}`, type);
  where.add((value) => `(c.disabled_at IS NOT NULL) = ${value}`, disabled);
  where.add((value) => `c.grant_types @> ARRAY[${value}::text]`, grantType);
  where.add((value) => `c.scopes @> ARRAY[${value}::text]`, scope);
  narrowToOwner(where, 'client', 'c.client_id', filter);
  const counted = sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM auth.clients c WHERE ${where.text}`,
    [...where.values],
  );
  const [order, beyond] = direction === 'forward' ? ['ASC', '>'] : ['DESC', '<'];
  if (position) {
    where.values.push(position.createdAt, position.clientId);
    const [at, id] = [where.values.length - 1, where.values.length];
    where.state(`(c.created_at, c.client_id) ${beyond} ($${at}::timestamptz, $${id}::text)`);
  }
  const [{ rows }, count] = await Promise.all([
    sql.query<ClientColumns>(
      `SELECT ${clientColumns} FROM auth.clients c WHERE ${where.text}
        ORDER BY c.created_at ${order}, c.client_id ${order} LIMIT $${where.values.length + 1}`,
      [...where.values, limit],
    ),
    counted,
  ]);
  return { clients: rows.map(toClient), total: count.rows[0]?.total ?? 0 };
}
