import type { Sql } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import type { Database } from '../../database/data/database.ts';
import type { NamedOwner } from '../domain/ownership.ts';
import { recordChange } from './connector-log.ts';
import { holdOwner, setOwner, shownOwner } from './connector-owners.ts';

export interface Ownerless {
  tenant: string;
  id: string;
  /** Null when the log doesn't say, or not any more. */
  madeBy: Actor | null;
}

/** Connectors that are nobody's, of which it wasn't yet asked who made them. */
export async function ownerless(sql: Sql, limit: number): Promise<Ownerless[]> {
  const { rows } = await sql.query<Ownerless>(
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

/**
 * Gives a connector that is still nobody's to whoever made it, and notes that it was asked about.
 * @throws NoSuchOwner when they ended since they were named
 */
export function takeFoundOwner(
  database: Pick<Database, 'transaction'>,
  { tenant, id }: { tenant: string; id: string },
  owner: NamedOwner | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    if (owner) await holdOwner(tx, tenant, owner);
    const { rows } = await tx.query<{ version: number }>(
      `UPDATE provisioning.connectors SET owner_sought = true, version = version + $3::int
        WHERE tenant = $1 AND id = $2 AND owner_id IS NULL AND NOT owner_sought AND status <> 'deleted' RETURNING version`,
      [tenant, id, owner ? 1 : 0],
    );
    if (!owner || !rows[0]) return;
    await setOwner(tx, tenant, id, owner);
    const by = { tenant, actor: { kind: 'system', id: 'provisioning' }, clientId: null } as const;
    await recordChange(tx, by, {
      action: 'connector.owner_changed',
      connectorId: id,
      connectorVersion: rows[0].version,
      changes: { owner: { after: shownOwner(owner) }, reason: { after: 'owner: made it' } },
    });
  });
}
