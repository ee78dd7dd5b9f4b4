import type { Sql } from '@ostiary/database';
import type { Database } from '../../database/data/database.ts';
import {
  type ChangeRequest,
  type Changes,
  type ConnectorAction,
  changesBetween,
} from '../domain/connector-changes.ts';
import { type ConnectorOwner, type NamedOwner, NoSuchOwner, type OwnershipEnd } from '../domain/ownership.ts';
import { recordChange } from './connector-log.ts';

interface OwnerRow {
  ended: string;
  endedConnectors: number;
}

/** Locks the row that namings and ends of this owner are ordered by, made if there was none. */
async function lockOwner(tx: Sql, tenant: string, id: string, mode: 'SHARE' | 'UPDATE'): Promise<OwnerRow> {
  await tx.query(
    'INSERT INTO provisioning.connector_owners (tenant, id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [tenant, id],
  );
  const { rows } = await tx.query<OwnerRow>(
    `SELECT ended, ended_connectors AS "endedConnectors" FROM provisioning.connector_owners
      WHERE tenant = $1 AND id = $2 FOR ${mode}`,
    [tenant, id],
  );
  return rows[0] as OwnerRow;
}

/**
 * Holds somebody who is to own a connector until the transaction ends: their end comes before, and is found here, or finds the
 * connector.
 * @throws NoSuchOwner when they ended since they were named
 */
export async function holdOwner(tx: Sql, tenant: string, owner: NamedOwner): Promise<void> {
  const { ended } = await lockOwner(tx, tenant, owner.id, 'SHARE');
  if (Number(ended) > owner.named) throw new NoSuchOwner();
}

interface OwnedRow {
  id: string;
  status: 'active' | 'disabled';
  version: number;
  tokens: string[];
}

/**
 * Does with the connectors of somebody who owns none any more what the authorization server says, all of them or none: revoked, they are
 * disabled and their tokens worth nothing for good; suspended, disabled until somebody enables them; or they are the successor's.
 * Once: whoever is told again finds what came of it, and what was done to the connectors since stays.
 * @returns how many it reached
 */
export function carryOut(database: Pick<Database, 'transaction'>, end: OwnershipEnd): Promise<number> {
  const { tenant, owner, number } = end;
  return database.transaction(async (tx) => {
    const known = await lockOwner(tx, tenant, owner.id, 'UPDATE');
    const ended = Number(known.ended);
    if (ended >= number) return ended === number ? known.endedConnectors : 0;
    const successor = await successorOf(tx, end);
    const { rows } = await tx.query<OwnedRow>(
      `SELECT c.id, c.status, c.version, ARRAY(
                SELECT t.id FROM provisioning.connector_tokens t
                 WHERE t.tenant = c.tenant AND t.connector_id = c.id AND t.revoked_at IS NULL
                   AND (t.expires_at IS NULL OR t.expires_at > now()) ORDER BY t.id DESC) AS tokens
         FROM provisioning.connectors c
        WHERE c.tenant = $1 AND c.owner_id = $2 AND c.owner_named < $3 AND c.status <> 'deleted'
        ORDER BY c.id FOR UPDATE OF c`,
      [tenant, owner.id, number],
    );
    let reached = 0;
    for (const connector of rows) {
      const isReached = successor
        ? await giveTo(tx, end, connector, successor)
        : await endConnector(tx, end, connector);
      if (isReached) reached += 1;
    }
    await tx.query(
      'UPDATE provisioning.connector_owners SET ended = $3, ended_connectors = $4 WHERE tenant = $1 AND id = $2',
      [tenant, owner.id, number, reached],
    );
    return reached;
  });
}

/** Whom the connectors go to; nobody when the one they were meant for has ended as well. */
async function successorOf(tx: Sql, { tenant, successor }: OwnershipEnd): Promise<NamedOwner | undefined> {
  if (!successor) return undefined;
  try {
    await holdOwner(tx, tenant, successor);
    return successor;
  } catch (error) {
    if (error instanceof NoSuchOwner) return undefined;
    throw error;
  }
}

async function giveTo(tx: Sql, end: OwnershipEnd, { id }: OwnedRow, successor: NamedOwner): Promise<true> {
  await setOwner(tx, end.tenant, id, successor);
  const changes = changesBetween({ owner: end.owner }, { owner: shownOwner(successor) });
  await recordEnd(tx, end, id, 'connector.owner_changed', changes);
  return true;
}

/** @returns whether there was anything to end */
async function endConnector(tx: Sql, end: OwnershipEnd, { id, status, tokens }: OwnedRow): Promise<boolean> {
  const ending = end.verdict === 'suspend' ? [] : tokens;
  if (status === 'disabled' && ending.length === 0) return false;
  if (ending.length > 0) {
    await tx.query(
      `UPDATE provisioning.connector_tokens SET revoked_at = now()
        WHERE tenant = $1 AND connector_id = $2 AND revoked_at IS NULL`,
      [end.tenant, id],
    );
  }
  await tx.query(`UPDATE provisioning.connectors SET status = 'disabled' WHERE tenant = $1 AND id = $2`, [
    end.tenant,
    id,
  ]);
  const changes = {
    ...changesBetween({ status }, { status: 'disabled' }),
    ...(ending.length > 0 && changesBetween({ tokens }, { tokens: [] })),
    owner: { before: end.owner },
  };
  const action = status === 'active' ? 'connector.disabled' : 'connector.token_revoked';
  await recordEnd(tx, end, id, action, changes);
  return true;
}

/** Says whose a connector is from now on; its row and the owner's are held. */
export async function setOwner(
  tx: Sql,
  tenant: string,
  connectorId: string,
  owner: NamedOwner,
): Promise<void> {
  await tx.query(
    `UPDATE provisioning.connectors SET owner_kind = $3, owner_id = $4, owner_named = $5
      WHERE tenant = $1 AND id = $2`,
    [tenant, connectorId, owner.kind, owner.id, owner.named],
  );
}

/** An owner without the number of the naming, which tells nobody anything. */
export const shownOwner = ({ kind, id }: ConnectorOwner): ConnectorOwner => ({ kind, id });

async function recordEnd(
  tx: Sql,
  { tenant, actor, reason }: OwnershipEnd,
  connectorId: string,
  action: ConnectorAction,
  changes: Changes,
): Promise<void> {
  const { rows } = await tx.query<{ version: number }>(
    `UPDATE provisioning.connectors SET version = version + 1, updated_at = now()
      WHERE tenant = $1 AND id = $2 RETURNING version`,
    [tenant, connectorId],
  );
  const by: ChangeRequest = { tenant, actor, clientId: null };
  await recordChange(tx, by, {
    action,
    connectorId,
    connectorVersion: rows[0]?.version ?? 0,
    changes: { ...changes, reason: { after: reason } },
  });
}
