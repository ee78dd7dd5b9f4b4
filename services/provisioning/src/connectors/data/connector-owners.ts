import { statement, typed } from '@ostiary/database';
import { type Connection, jsonOf } from '../../database/data/database.ts';
import type {
  KnownToken,
  LastEnd,
  NamedOwner,
  OwnedConnector,
  OwnerStore,
  ReportedToken,
} from '../domain/ownership.ts';

const lockOwner = (mode: 'SHARE' | 'UPDATE') =>
  statement({
    name: `connectorOwners.lockFor${mode}`,
    reason: 'atomic',
    text: `SELECT ended AS number, ended_connectors AS connectors, ended_secrets AS secrets FROM provisioning.connector_owners
            WHERE tenant = $tenant AND id = $id FOR ${mode}`,
    parameters: { tenant: 'text', id: 'uuid' },
    columns: { number: typed<number>('int8'), connectors: 'int4', secrets: typed<ReportedToken[]>('jsonb') },
  });

const locking = { SHARE: lockOwner('SHARE'), UPDATE: lockOwner('UPDATE') };

/** Read and locked in one statement. */
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

/** Only users named before the end: a user who was named again since still knows tokens received since. */
const lockKnownBefore = statement({
  name: 'connectorTokens.lockKnownBefore',
  reason: 'atomic',
  text: `SELECT t.id, t.connector_id AS "connectorId", c.name, c.owner_kind AS "ownerKind", c.owner_id AS "ownerId"
           FROM provisioning.connector_tokens t
           JOIN provisioning.connectors c ON c.tenant = t.tenant AND c.id = t.connector_id
          WHERE t.tenant = $tenant AND t.known_to @> jsonb_build_array(jsonb_build_object('id', $ownerId::uuid))
            AND EXISTS (SELECT FROM jsonb_array_elements(t.known_to) k
                         WHERE k->>'id' = $ownerId::text AND (k->>'named')::int8 < $end)
            AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now()) AND c.status <> 'deleted'
          ORDER BY c.id, t.id FOR UPDATE OF c`,
  parameters: { tenant: 'text', ownerId: 'uuid', end: 'int8' },
  columns: { id: 'uuid', connectorId: 'uuid', name: 'text', ownerKind: 'text?', ownerId: 'uuid?' },
});

async function tokensKnownBefore(
  tx: Connection,
  tenant: string,
  ownerId: string,
  end: number,
): Promise<KnownToken[]> {
  const rows = await lockKnownBefore.rows(tx, { tenant, ownerId, end });
  return rows.map(({ ownerKind, ownerId: of, ...row }) => ({
    ...row,
    owner: of === null ? null : { kind: ownerKind === 'group' ? 'group' : 'user', id: of },
  }));
}

async function revokeToken(tx: Connection, tenant: string, id: string): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.connectorToken.updateMany({
    where: { tenant, id, revokedAt: null },
    data: { revokedAt: new Date() },
  });
}

const expire = statement({
  name: 'connectorTokens.expire',
  reason: 'atomic',
  text: `UPDATE provisioning.connector_tokens SET expires_at = least(expires_at, $at)
          WHERE tenant = $tenant AND id = $id RETURNING expires_at AS "expiresAt"`,
  parameters: { tenant: 'text', id: 'uuid', at: 'timestamptz' },
  columns: { expiresAt: 'timestamptz!' },
});

const expireToken = async (tx: Connection, tenant: string, id: string, at: Date): Promise<Date> =>
  (await expire.first(tx, { tenant, id, at }))?.expiresAt ?? at;

const replace = statement({
  name: 'connectorTokens.replaceKnower',
  reason: 'atomic',
  text: `UPDATE provisioning.connector_tokens t SET known_to = (
           SELECT jsonb_agg(CASE WHEN k->>'id' = $knowerId::text THEN $successor::jsonb ELSE k END)
             FROM jsonb_array_elements(t.known_to) k)
          WHERE t.tenant = $tenant AND t.id = $tokenId`,
  parameters: { tenant: 'text', tokenId: 'uuid', knowerId: 'text', successor: typed<NamedOwner>('jsonb') },
});

async function replaceKnower(
  tx: Connection,
  tenant: string,
  tokenId: string,
  knowerId: string,
  { kind, id, named }: NamedOwner,
): Promise<void> {
  await replace.run(tx, { tenant, tokenId, knowerId, successor: { kind, id, named } });
}

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
    data: { ended: end.number, endedConnectors: end.connectors, endedSecrets: jsonOf(end.secrets) },
  });
}

export const connectorOwners: OwnerStore = {
  lock,
  ownedBefore,
  revokeTokens,
  disable,
  noteEnd,
  tokensKnownBefore,
  revokeToken,
  expireToken,
  replaceKnower,
};
