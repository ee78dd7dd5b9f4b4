import { type Sql, statement, typed } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import type {
  ConnectorOwnerStore,
  EndCarriedOut,
  NamedOwner,
  OwnershipEnd,
} from '../domain/connector-owner.ts';
import type { CredentialOwner } from '../domain/credential-owner.ts';

/** One sequence orders namings and ends, independent of clocks. */
const nextNumber = `nextval('auth.connector_owners_named_seq')`;

const nameOwner = statement({
  name: 'connector_owners.name',
  reason: 'atomic',
  text: `INSERT INTO auth.connector_owners (tenant, owner_id, kind) VALUES ($tenant, $ownerId, $kind)
         ON CONFLICT (tenant, owner_id) DO UPDATE SET named = ${nextNumber} RETURNING named`,
  parameters: { tenant: 'text', ownerId: 'uuid', kind: 'text' },
  columns: { named: 'int8' },
});

export async function nameConnectorOwner(tx: Sql, tenant: string, owner: CredentialOwner): Promise<number> {
  const named = await nameOwner.first(tx, { tenant, ownerId: owner.id, kind: owner.kind });
  return Number(named?.named);
}

/** Writes an end only for an owner that was named. */
const addEnd = statement({
  name: 'ownership_ends.add',
  reason: 'atomic',
  text: `INSERT INTO auth.ownership_ends (tenant, owner_id, number, owner_kind, epoch, reason, verdict, successor_kind,
           successor_id, successor_named, tokens_end_at, actor)
         SELECT tenant, owner_id, ${nextNumber}, kind, $epoch, $reason, $verdict, $successorKind, $successorId, $successorNamed,
                $tokensEndAt, $actor
           FROM auth.connector_owners WHERE tenant = $tenant AND owner_id = $ownerId
         RETURNING number`,
  parameters: {
    tenant: 'text',
    ownerId: 'uuid',
    epoch: 'int4?',
    reason: 'text',
    verdict: 'text',
    successorKind: 'text?',
    successorId: 'uuid?',
    successorNamed: 'int8?',
    tokensEndAt: 'timestamptz?',
    actor: typed<Actor>('jsonb'),
  },
  columns: { number: 'int8' },
});

export async function noteOwnershipEnd(
  tx: Sql,
  end: Omit<OwnershipEnd, 'number'> & { epoch: number | undefined },
): Promise<number | undefined> {
  const { tenant, owner, epoch, reason, verdict, successor, tokensEndAt, actor } = end;
  const added = await addEnd.first(tx, {
    tenant,
    ownerId: owner.id,
    epoch,
    reason,
    verdict,
    successorKind: successor?.kind,
    successorId: successor?.id,
    successorNamed: successor?.named,
    tokensEndAt: tokensEndAt === null ? null : new Date(tokensEndAt),
    actor,
  });
  return added && Number(added.number);
}

export async function ownershipEndsToTell(sql: Connection, limit: number): Promise<OwnershipEnd[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.ownershipEnd.findMany({
    where: { notifiedAt: null },
    orderBy: { number: 'asc' },
    take: limit,
  });
  return rows.map((row) => ({
    tenant: row.tenant,
    owner: { kind: row.ownerKind as CredentialOwner['kind'], id: row.ownerId },
    number: Number(row.number),
    reason: row.reason,
    verdict: row.verdict as OwnershipEnd['verdict'],
    successor: successorOf(row),
    tokensEndAt: row.tokensEndAt?.toISOString() ?? null,
    actor: row.actor as unknown as Actor,
  }));
}

const successorOf = (row: {
  successorKind: string | null;
  successorId: string | null;
  successorNamed: bigint | null;
}): NamedOwner | null =>
  row.successorKind && row.successorId
    ? {
        kind: row.successorKind as NamedOwner['kind'],
        id: row.successorId,
        named: Number(row.successorNamed),
      }
    : null;

/** Deletes the owner if the end exists and the owner was not named again after it. */
const forgetOwner = statement({
  name: 'connector_owners.forget',
  reason: 'atomic',
  text: `DELETE FROM auth.connector_owners WHERE tenant = $tenant AND owner_id = $ownerId AND named < $number
            AND EXISTS (SELECT FROM auth.ownership_ends WHERE tenant = $tenant AND owner_id = $ownerId AND number = $number)`,
  parameters: { tenant: 'text', ownerId: 'uuid', number: 'int8' },
});

export async function noteCarriedOut(tx: Connection, done: readonly EndCarriedOut[]): Promise<void> {
  const prisma = await tx.prisma();
  for (const { tenant, ownerId, number, connectors, secrets = [] } of done) {
    await prisma.ownershipEnd.updateMany({
      where: { tenant, ownerId, number, notifiedAt: null },
      data: {
        notifiedAt: new Date(),
        connectors,
        secrets: secrets as unknown as Prisma.InputJsonArray,
      },
    });
    await forgetOwner.run(tx, { tenant, ownerId, number });
  }
}

/** Returns a query of the connectors that an end of ownership revoked in provisioning, as JSON. @param ownerId, epoch expressions */
export const revokedInProvisioning = (ownerId: string, epoch: string): string =>
  `SELECT json_build_object('count', e.connectors, 'closedAt', e.notified_at, 'secrets', e.secrets) FROM auth.ownership_ends e
    WHERE e.tenant = $tenant AND e.owner_id = ${ownerId} AND e.epoch = ${epoch} AND e.notified_at IS NOT NULL`;

const pruneEnds = statement({
  name: 'ownership_ends.prune',
  reason: 'set',
  text: `DELETE FROM auth.ownership_ends WHERE (tenant, owner_id, number) IN (
           SELECT tenant, owner_id, number FROM auth.ownership_ends
            WHERE notified_at < now() - make_interval(secs => $seconds::int) LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  parameters: { seconds: 'int4', limit: 'int8' },
});

/** Deletes ends that were carried out, after the retention of the security log. */
export async function pruneOwnershipEnds(sql: Sql, seconds: number, limit: number): Promise<number> {
  return pruneEnds.count(sql, { seconds, limit });
}

export const postgresConnectorOwners: ConnectorOwnerStore = {
  nameConnectorOwner,
  noteOwnershipEnd,
  ownershipEndsToTell,
  noteCarriedOut,
};
