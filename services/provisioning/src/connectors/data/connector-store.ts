import { isUniqueViolation, type Sql } from '@ostiary/database';
import { type Connector, noRules } from '../domain/connector.ts';
import { type Changes, ClientTaken, type NewConnector } from '../domain/connector-changes.ts';
import type { ConnectorStore } from '../domain/connector-store.ts';
import type { NamedOwner } from '../domain/ownership.ts';
import { type ConnectorRow, columns, connectorOf } from './connector-row.ts';

type Named = Pick<Connector, 'tenant' | 'id'>;

/** No two connectors of a tenant have one OAuth client: the database says so. @throws ClientTaken */
async function clientUnique<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw isUniqueViolation(error) ? new ClientTaken() : error;
  }
}

async function insert(tx: Sql, tenant: string, id: string, input: NewConnector): Promise<Connector> {
  const { rows } = await clientUnique(
    tx.query<ConnectorRow>(
      `INSERT INTO provisioning.connectors AS c (tenant, id, name, profile, client_id, limits, rules, quirks, owner_kind,
         owner_id, owner_named)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${columns}`,
      [
        tenant,
        id,
        input.name,
        input.profile,
        input.clientId,
        JSON.stringify(input.limits ?? {}),
        JSON.stringify(input.rules ?? noRules),
        JSON.stringify(input.quirks ?? {}),
        input.owner?.kind ?? null,
        input.owner?.id ?? null,
        input.owner?.named ?? null,
      ],
    ),
  );
  return connectorOf(rows[0] as ConnectorRow);
}

async function lock(tx: Sql, tenant: string, id: string): Promise<Connector | undefined> {
  const { rows } = await tx.query<ConnectorRow>(
    `SELECT ${columns} FROM provisioning.connectors c
      WHERE c.tenant = $1 AND c.id = $2 AND c.status <> 'deleted' FOR UPDATE`,
    [tenant, id],
  );
  return rows[0] && connectorOf(rows[0]);
}

async function save(tx: Sql, before: Connector, after: Connector, changes: Changes): Promise<void> {
  const changed = (name: 'limits' | 'quirks') => (changes[name] ? JSON.stringify(after[name]) : null);
  await clientUnique(
    tx.query(
      `UPDATE provisioning.connectors
          SET name = $3, profile = $4, client_id = $5, status = $6, limits = coalesce($7::jsonb, limits),
              rules = rules || $8::jsonb, quirks = coalesce($9::jsonb, quirks),
              vouching_ended_at = CASE WHEN $11 THEN NULL WHEN $10 THEN now() ELSE vouching_ended_at END
        WHERE tenant = $1 AND id = $2`,
      [
        before.tenant,
        before.id,
        after.name,
        after.profile,
        after.clientId,
        after.status,
        changed('limits'),
        JSON.stringify(after.rules),
        changed('quirks'),
        before.rules.vouchesForEmails,
        after.rules.vouchesForEmails,
      ],
    ),
  );
}

async function advance(tx: Sql, { tenant, id }: Named): Promise<Connector> {
  const { rows } = await tx.query<ConnectorRow>(
    `UPDATE provisioning.connectors c SET version = c.version + 1, updated_at = now()
      WHERE c.tenant = $1 AND c.id = $2 RETURNING ${columns}`,
    [tenant, id],
  );
  return connectorOf(rows[0] as ConnectorRow);
}

async function markDeleted(tx: Sql, { tenant, id, rules }: Connector): Promise<void> {
  await tx.query(
    `WITH t AS (
       UPDATE provisioning.connector_tokens SET revoked_at = now()
        WHERE tenant = $1 AND connector_id = $2 AND revoked_at IS NULL
     )
     UPDATE provisioning.connectors SET status = 'deleted', version = version + 1, updated_at = now(),
            vouching_ended_at = CASE WHEN $3 THEN now() ELSE vouching_ended_at END
      WHERE tenant = $1 AND id = $2`,
    [tenant, id, rules.vouchesForEmails],
  );
}

async function freeClient(tx: Sql, tenant: string, clientId: string): Promise<void> {
  await tx.query(
    `UPDATE provisioning.connectors SET client_id = NULL
      WHERE tenant = $1 AND client_id = $2 AND status = 'deleted'`,
    [tenant, clientId],
  );
}

/** Says whose it is; the rows of the connector and the owner are held. */
async function setOwner(tx: Sql, tenant: string, connectorId: string, owner: NamedOwner): Promise<void> {
  await tx.query(
    `UPDATE provisioning.connectors SET owner_kind = $3, owner_id = $4, owner_named = $5
      WHERE tenant = $1 AND id = $2`,
    [tenant, connectorId, owner.kind, owner.id, owner.named],
  );
}

export const connectorStore: ConnectorStore = {
  insert,
  lock,
  save,
  advance,
  markDeleted,
  freeClient,
  setOwner,
};
