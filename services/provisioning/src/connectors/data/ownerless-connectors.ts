import type { Sql } from '@ostiary/database';
import type { OwnerlessConnector, OwnerlessConnectors } from '../domain/owner-search.ts';

async function find(sql: Sql, limit: number): Promise<OwnerlessConnector[]> {
  const { rows } = await sql.query<OwnerlessConnector>(
    `SELECT c.tenant, c.id, (
              SELECT l.actor FROM provisioning.connector_log l
               WHERE l.tenant = c.tenant AND l.connector_id = c.id AND l.action = 'connector.created'
               ORDER BY l.id LIMIT 1) AS "madeBy"
       FROM provisioning.connectors c
      WHERE c.owner_id IS NULL AND NOT c.owner_sought AND c.status <> 'deleted' ORDER BY c.tenant, c.id LIMIT $1`,
    [limit],
  );
  return rows;
}

async function noteSought(
  tx: Sql,
  tenant: string,
  id: string,
  advances: boolean,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ version: number }>(
    `UPDATE provisioning.connectors SET owner_sought = true, version = version + $3::int
      WHERE tenant = $1 AND id = $2 AND owner_id IS NULL AND NOT owner_sought AND status <> 'deleted' RETURNING version`,
    [tenant, id, advances ? 1 : 0],
  );
  return rows[0]?.version;
}

export const ownerlessConnectors: OwnerlessConnectors = { find, noteSought };
