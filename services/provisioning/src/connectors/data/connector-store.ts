import { isUniqueViolation, statement } from '@ostiary/database';
import { type Connection, jsonOf } from '../../database/data/database.ts';
import { type Connector, type ConnectorKey, noRules } from '../domain/connector.ts';
import { type Changes, ClientTaken, type NewConnector } from '../domain/connector-changes.ts';
import type { ConnectorStore } from '../domain/connector-store.ts';
import type { NamedOwner } from '../domain/ownership.ts';
import { connectorColumns, connectorFields, connectorOf } from './connector-row.ts';

const lockConnector = statement({
  name: 'connectors.lock',
  reason: 'atomic',
  text: `SELECT ${connectorColumns} FROM provisioning.connectors c
          WHERE c.tenant = $tenant AND c.id = $id AND c.status <> 'deleted' FOR UPDATE`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: connectorColumns.columns,
});

/** Rules are merged into the stored ones, and times are the database's. */
const saveConnector = statement({
  name: 'connectors.save',
  reason: 'atomic',
  text: `UPDATE provisioning.connectors
            SET name = $name, profile = $profile, client_id = $clientId, status = $status,
                limits = coalesce($limits, limits), rules = rules || $rules, quirks = coalesce($quirks, quirks),
                vouching_ended_at =
                  CASE WHEN $vouches THEN NULL WHEN $vouched THEN now() ELSE vouching_ended_at END
          WHERE tenant = $tenant AND id = $id`,
  parameters: {
    tenant: 'text',
    id: 'uuid',
    name: 'text',
    profile: 'text',
    clientId: 'text?',
    status: 'text',
    limits: 'jsonb?',
    rules: 'jsonb',
    quirks: 'jsonb?',
    vouched: 'bool',
    vouches: 'bool',
  },
});

/** A connector and its tokens end at the same time. */
const markConnectorDeleted = statement({
  name: 'connectors.markDeleted',
  reason: 'atomic',
  text: `WITH t AS (
           UPDATE provisioning.connector_tokens SET revoked_at = now()
            WHERE tenant = $tenant AND connector_id = $id AND revoked_at IS NULL
         )
         UPDATE provisioning.connectors SET status = 'deleted', version = version + 1, updated_at = now(),
                vouching_ended_at = CASE WHEN $vouched THEN now() ELSE vouching_ended_at END
          WHERE tenant = $tenant AND id = $id`,
  parameters: { tenant: 'text', id: 'uuid', vouched: 'bool' },
});

/**
 * An OAuth client belongs to at most one connector of a tenant, by a constraint of the database. @throws ClientTaken
 */
async function clientUnique<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw isUniqueViolation(error) ? new ClientTaken() : error;
  }
}

async function insert(tx: Connection, tenant: string, id: string, input: NewConnector): Promise<Connector> {
  const prisma = await tx.prisma();
  const { name, profile, clientId, limits = {}, rules = noRules, quirks = {}, owner } = input;
  const row = await clientUnique(
    prisma.connector.create({
      data: {
        tenant,
        id,
        name,
        profile,
        clientId,
        limits: jsonOf(limits),
        rules: jsonOf(rules),
        quirks: jsonOf(quirks),
        ...ownerFields(owner),
      },
      select: connectorFields,
    }),
  );
  return connectorOf(row);
}

const ownerFields = (owner: NamedOwner | null | undefined) => ({
  ownerKind: owner?.kind ?? null,
  ownerId: owner?.id ?? null,
  ownerNamed: owner?.named ?? null,
});

async function lock(tx: Connection, tenant: string, id: string): Promise<Connector | undefined> {
  const row = await lockConnector.first(tx, { tenant, id });
  return row && connectorOf(row);
}

async function save(tx: Connection, before: Connector, after: Connector, changes: Changes): Promise<void> {
  const { name, profile, clientId, status, rules } = after;
  await clientUnique(
    saveConnector.run(tx, {
      tenant: before.tenant,
      id: before.id,
      name,
      profile,
      clientId,
      status,
      limits: changes.limits ? after.limits : null,
      rules,
      quirks: changes.quirks ? after.quirks : null,
      vouched: before.rules.vouchesForEmails,
      vouches: rules.vouchesForEmails,
    }),
  );
}

async function advance(tx: Connection, { tenant, id }: ConnectorKey): Promise<Connector> {
  const prisma = await tx.prisma();
  const row = await prisma.connector.update({
    where: { tenant_id: { tenant, id } },
    data: { version: { increment: 1 }, updatedAt: new Date() },
    select: connectorFields,
  });
  return connectorOf(row);
}

async function markDeleted(tx: Connection, { tenant, id, rules }: Connector): Promise<void> {
  await markConnectorDeleted.run(tx, { tenant, id, vouched: rules.vouchesForEmails });
}

async function freeClient(tx: Connection, tenant: string, clientId: string): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.connector.updateMany({
    where: { tenant, clientId, status: 'deleted' },
    data: { clientId: null },
  });
}

/** Sets the owner; the rows of the connector and the owner are locked. */
async function setOwner(
  tx: Connection,
  tenant: string,
  connectorId: string,
  owner: NamedOwner,
): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.connector.updateMany({ where: { tenant, id: connectorId }, data: ownerFields(owner) });
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
