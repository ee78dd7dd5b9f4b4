import { statement, typed } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import type { Connection } from '../../database/data/database.ts';
import type { OwnerlessConnector, OwnerlessConnectors } from '../domain/owner-search.ts';

/** With the creator, which only the log records. */
const findOwnerless = statement({
  name: 'connectors.findOwnerless',
  reason: 'set',
  text: `SELECT c.tenant, c.id, (
                  SELECT l.actor FROM provisioning.connector_log l
                   WHERE l.tenant = c.tenant AND l.connector_id = c.id AND l.action = 'connector.created'
                   ORDER BY l.id LIMIT 1) AS "madeBy"
           FROM provisioning.connectors c
          WHERE c.owner_id IS NULL AND NOT c.owner_sought AND c.status <> 'deleted' ORDER BY c.tenant, c.id LIMIT $limit`,
  parameters: { limit: 'int8' },
  columns: { tenant: 'text', id: 'uuid', madeBy: typed<Actor | null>('jsonb?') },
});

const find = (sql: Connection, limit: number): Promise<OwnerlessConnector[]> =>
  findOwnerless.rows(sql, { limit });

async function noteSought(
  tx: Connection,
  tenant: string,
  id: string,
  advances: boolean,
): Promise<number | undefined> {
  const prisma = await tx.prisma();
  const [noted] = await prisma.connector.updateManyAndReturn({
    where: { tenant, id, ownerId: null, ownerSought: false, status: { not: 'deleted' } },
    data: { ownerSought: true, version: { increment: advances ? 1 : 0 } },
    select: { version: true },
  });
  return noted?.version;
}

export const ownerlessConnectors: OwnerlessConnectors = { find, noteSought };
