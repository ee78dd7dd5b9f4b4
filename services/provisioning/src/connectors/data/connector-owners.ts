import type { Sql } from '@ostiary/database';
import type { LastEnd, OwnedConnector, OwnerStore } from '../domain/ownership.ts';

async function lock(tx: Sql, tenant: string, id: string, mode: 'SHARE' | 'UPDATE'): Promise<LastEnd> {
  await tx.query(
    'INSERT INTO provisioning.connector_owners (tenant, id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [tenant, id],
  );
  const { rows } = await tx.query<{ ended: string; connectors: number }>(
    `SELECT ended, ended_connectors AS connectors FROM provisioning.connector_owners
      WHERE tenant = $1 AND id = $2 FOR ${mode}`,
    [tenant, id],
  );
  const { ended, connectors } = rows[0] as { ended: string; connectors: number };
  return { number: Number(ended), connectors };
}

async function ownedBefore(tx: Sql, tenant: string, ownerId: string, end: number): Promise<OwnedConnector[]> {
  const { rows } = await tx.query<OwnedConnector>(
    `SELECT c.id, c.status, c.version, ARRAY(
              SELECT t.id FROM provisioning.connector_tokens t
               WHERE t.tenant = c.tenant AND t.connector_id = c.id AND t.revoked_at IS NULL
                 AND (t.expires_at IS NULL OR t.expires_at > now()) ORDER BY t.id DESC) AS tokens
       FROM provisioning.connectors c
      WHERE c.tenant = $1 AND c.owner_id = $2 AND c.owner_named < $3 AND c.status <> 'deleted'
      ORDER BY c.id FOR UPDATE OF c`,
    [tenant, ownerId, end],
  );
  return rows;
}

async function revokeTokens(tx: Sql, tenant: string, connectorId: string): Promise<void> {
  await tx.query(
    `UPDATE provisioning.connector_tokens SET revoked_at = now()
      WHERE tenant = $1 AND connector_id = $2 AND revoked_at IS NULL`,
    [tenant, connectorId],
  );
}

async function disable(tx: Sql, tenant: string, connectorId: string): Promise<void> {
  await tx.query(`UPDATE provisioning.connectors SET status = 'disabled' WHERE tenant = $1 AND id = $2`, [
    tenant,
    connectorId,
  ]);
}

async function noteEnd(tx: Sql, tenant: string, ownerId: string, end: LastEnd): Promise<void> {
  await tx.query(
    'UPDATE provisioning.connector_owners SET ended = $3, ended_connectors = $4 WHERE tenant = $1 AND id = $2',
    [tenant, ownerId, end.number, end.connectors],
  );
}

export const connectorOwners: OwnerStore = { lock, ownedBefore, revokeTokens, disable, noteEnd };
