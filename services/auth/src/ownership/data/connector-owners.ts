import type { Sql } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import type { ConnectorOwnerStore, EndCarriedOut, OwnershipEnd } from '../domain/connector-owner.ts';
import type { CredentialOwner } from '../domain/credential-owner.ts';

/** Orders namings and ends, whatever the clocks say. */
const nextNumber = `nextval('auth.connector_owners_named_seq')`;

export async function nameConnectorOwner(tx: Sql, tenant: string, owner: CredentialOwner): Promise<number> {
  const { rows } = await tx.query<{ named: string }>(
    `INSERT INTO auth.connector_owners (tenant, owner_id, kind) VALUES ($1, $2, $3)
     ON CONFLICT (tenant, owner_id) DO UPDATE SET named = ${nextNumber} RETURNING named`,
    [tenant, owner.id, owner.kind],
  );
  return Number(rows[0]?.named);
}

export async function noteOwnershipEnd(
  tx: Sql,
  end: Omit<OwnershipEnd, 'number'> & { epoch: number | undefined },
): Promise<void> {
  const { tenant, owner, epoch, reason, verdict, successor, actor } = end;
  await tx.query(
    `INSERT INTO auth.ownership_ends (tenant, owner_id, number, owner_kind, epoch, reason, verdict, successor_kind,
       successor_id, successor_named, actor)
     SELECT tenant, owner_id, ${nextNumber}, kind, $3, $4, $5, $6, $7, $8, $9
       FROM auth.connector_owners WHERE tenant = $1 AND owner_id = $2`,
    [
      tenant,
      owner.id,
      epoch ?? null,
      reason,
      verdict,
      successor?.kind ?? null,
      successor?.id ?? null,
      successor?.named ?? null,
      JSON.stringify(actor),
    ],
  );
}

interface EndRow {
  tenant: string;
  ownerKind: CredentialOwner['kind'];
  ownerId: string;
  number: string;
  reason: string;
  verdict: OwnershipEnd['verdict'];
  successorKind: CredentialOwner['kind'] | null;
  successorId: string | null;
  successorNamed: string | null;
  actor: Actor;
}

export async function ownershipEndsToTell(sql: Sql, limit: number): Promise<OwnershipEnd[]> {
  const { rows } = await sql.query<EndRow>(
    `SELECT tenant, owner_kind AS "ownerKind", owner_id AS "ownerId", number, reason, verdict,
            successor_kind AS "successorKind", successor_id AS "successorId", successor_named AS "successorNamed", actor
       FROM auth.ownership_ends WHERE told_at IS NULL ORDER BY number LIMIT $1`,
    [limit],
  );
  return rows.map((row) => ({
    tenant: row.tenant,
    owner: { kind: row.ownerKind, id: row.ownerId },
    number: Number(row.number),
    reason: row.reason,
    verdict: row.verdict,
    successor:
      row.successorKind && row.successorId
        ? { kind: row.successorKind, id: row.successorId, named: Number(row.successorNamed) }
        : null,
    actor: row.actor,
  }));
}

export async function noteCarriedOut(tx: Sql, done: readonly EndCarriedOut[]): Promise<void> {
  for (const { tenant, ownerId, number, connectors } of done) {
    await tx.query(
      `UPDATE auth.ownership_ends SET told_at = now(), connectors = $4
        WHERE tenant = $1 AND owner_id = $2 AND number = $3 AND told_at IS NULL`,
      [tenant, ownerId, number, connectors],
    );
    await tx.query(
      `DELETE FROM auth.connector_owners WHERE tenant = $1 AND owner_id = $2 AND named < $3
          AND EXISTS (SELECT FROM auth.ownership_ends WHERE tenant = $1 AND owner_id = $2 AND number = $3)`,
      [tenant, ownerId, number],
    );
  }
}

/** Forgets what was carried out, when the log has forgotten why. */
export async function pruneOwnershipEnds(sql: Sql, seconds: number, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM auth.ownership_ends WHERE (tenant, owner_id, number) IN (
       SELECT tenant, owner_id, number FROM auth.ownership_ends
        WHERE told_at < now() - make_interval(secs => $1::int) LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [seconds, limit],
  );
  return rowCount;
}

export const postgresConnectorOwners: ConnectorOwnerStore = {
  nameConnectorOwner,
  noteOwnershipEnd,
  ownershipEndsToTell,
  noteCarriedOut,
};
