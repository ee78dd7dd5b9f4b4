import { statement, typed } from '@ostiary/database';
import type { Connection } from '../../database/data/index.ts';
import type { LastEnd, OwnedConnector, OwnerStore } from '../domain/ownership.ts';

const lockOwner = (mode: 'SHARE' | 'UPDATE') =>
  statement({
    name: `connectorOwners.lockFor${mode}`,
    reason: 'atomic',
    text: `SELECT ended AS number, ended_connectors AS connectors FROM provisioning.connector_owners
            WHERE tenant = $tenant AND id = $id FOR ${mode}`,
    parameters: { tenant: 'text', id: 'uuid' },
    columns: { number: typed<number>('int8'), connectors: 'int4' },
  });

const locking = { SHARE: lockOwner('SHARE'), UPDATE: lockOwner('UPDATE') };

/** Read and held at once. */
const lockOwnedBefore = statement({
  name: 'connectors.lockOwnedBefore',
  reason: 'atomic',
  text: `SELECT c.id, c.status, c.version, ARRAY(
                  SELECT t.id FROM provisioning.connector_tokens t
                   WHERE t.tenant = c.tenant AND t.connector_id = c.id AND t.revoked_at IS NULL
                     AND (t.expires_at IS NULL OR t.expires_at > now()) ORDER BY t.id DESC) AS tokens
           FROM provisioning.connectors c
          WHERE c.tenant = $tenant AND c.owner_id = $ownerId AND c.owner_named < $end AND c.status <> 'deleted'
          ORDER BY c.id FOR UPDATE OF c`,
  parameters: { tenant: 'text', ownerId: 'uuid', end: 'int8' },
  columns: { id: 'uuid', status: typed<OwnedConnector['status']>('text'), version: 'int4', tokens: 'uuid[]' },
});

async function lock(tx: Connection, tenant: string, id: string, mode: 'SHARE' | 'UPDATE'): Promise<LastEnd> {
  const prisma = await tx.prisma();
  await prisma.connectorOwner.createMany({ data: { tenant, id }, skipDuplicates: true });
  return (await locking[mode].first(tx, { tenant, id })) as LastEnd;
}

const ownedBefore = (
  tx: Connection,
  tenant: string,
  ownerId: string,
  end: number,
): Promise<OwnedConnector[]> => lockOwnedBefore.rows(tx, { tenant, ownerId, end });

async function revokeTokens(tx: Connection, tenant: string, connectorId: string): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.connectorToken.updateMany({
    where: { tenant, connectorId, revokedAt: null },
    data: { revokedAt: new Date() },
  });
}

async function disable(tx: Connection, tenant: string, connectorId: string): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.connector.updateMany({ where: { tenant, id: connectorId }, data: { status: 'disabled' } });
}

async function noteEnd(tx: Connection, tenant: string, ownerId: string, end: LastEnd): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.connectorOwner.updateMany({
    where: { tenant, id: ownerId },
    data: { ended: end.number, endedConnectors: end.connectors },
  });
}

export const connectorOwners: OwnerStore = { lock, ownedBefore, revokeTokens, disable, noteEnd };
