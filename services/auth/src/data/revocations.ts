import type { Revocation, RevocationKind, RevocationPage } from '@ostiary/access';
import type { Sql } from '@ostiary/database';
import type { NewRevocation } from '../domain/ports.ts';

/** Appends to the feed in the caller's transaction; the rows become visible to readers with its commit. */
export async function appendRevocations(
  tx: Sql,
  entries: readonly NewRevocation[],
  reason: string | undefined,
): Promise<Revocation[]> {
  if (entries.length === 0) return [];
  const { rows } = await tx.query<{ seq: string; position: number }>(
    `WITH entries AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::bigint[])
         WITH ORDINALITY AS e(tenant, kind, key, epoch, expires, position)
     ), appended AS (
       INSERT INTO auth.revocations (tenant, kind, key, epoch, expires_at, reason)
       SELECT tenant, kind, key, epoch, to_timestamp(expires), $6 FROM entries ORDER BY position
       RETURNING seq
     )
     SELECT seq::text AS seq FROM appended ORDER BY appended.seq`,
    [
      entries.map((entry) => entry.tenant),
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.key),
      entries.map((entry) => entry.epoch ?? null),
      entries.map((entry) => entry.expiresAt),
      reason ?? null,
    ],
  );
  return entries.map((entry, index) => ({ ...entry, seq: rows[index]?.seq ?? '0' }));
}

interface Position {
  cluster: string;
  xmin: string;
  xmax: string;
  maxSeq: string;
}

interface RevocationRow {
  seq: string;
  tenant: string;
  kind: RevocationKind;
  key: string;
  epoch: number | null;
  expiresAt: string;
}

/**
 * Live entries from a cursor on; everything without one.
 *
 * Sequence numbers are given before transactions commit, so 'all with a higher number' would skip what commits late.
 * The cursor is therefore the oldest transaction that was still open when the page was read (`<cluster>.<xid>`): the
 * next page begins there, and an entry may come twice, but never not at all. A cursor of another cluster, or one from
 * the future of a restored backup, gives everything.
 */
export async function revocationPage(sql: Sql, after: string | undefined): Promise<RevocationPage> {
  // Read before the rows: a transaction open at this moment is at or behind the new cursor.
  const position = await currentPosition(sql);
  const from = resume(after, position);
  const { rows } = await sql.query<RevocationRow>(
    `SELECT seq::text AS seq, tenant, kind, key, epoch, extract(epoch FROM expires_at)::bigint::text AS "expiresAt"
       FROM auth.revocations r WHERE xid >= $1::text::xid8 AND expires_at > now() ORDER BY r.seq`,
    [from],
  );
  return {
    cursor: `${position.cluster}.${position.xmin}`,
    entries: rows.map(({ epoch, expiresAt, ...row }) => ({
      ...row,
      expiresAt: Number(expiresAt),
      ...(epoch === null ? {} : { epoch }),
    })),
    maxSeq: position.maxSeq,
  };
}

async function currentPosition(sql: Sql): Promise<Position> {
  const { rows } = await sql.query<Position>(
    `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS cluster,
            pg_snapshot_xmin(pg_current_snapshot())::text AS xmin,
            pg_snapshot_xmax(pg_current_snapshot())::text AS xmax,
            (SELECT coalesce(max(seq), 0)::text FROM auth.revocations) AS "maxSeq"`,
  );
  const row = rows[0];
  if (!row) throw new Error('the database did not say where it is');
  return row;
}

function resume(after: string | undefined, position: Position): string {
  const match = /^(\d{1,20})\.(\d{1,20})$/.exec(after ?? '');
  if (!match || match[1] !== position.cluster) return '0';
  const xid = match[2] ?? '0';
  return BigInt(xid) > BigInt(position.xmax) ? '0' : xid;
}

/** The highest position in the feed, decimal; 0 when it is empty. */
export async function lastRevocation(sql: Sql): Promise<string> {
  const { rows } = await sql.query<{ maxSeq: string }>(
    'SELECT coalesce(max(seq), 0)::text AS "maxSeq" FROM auth.revocations',
  );
  return rows[0]?.maxSeq ?? '0';
}

/** Deletes entries that no living token can match any more; returns how many. */
export async function pruneRevocations(sql: Sql, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM auth.revocations WHERE seq IN (
       SELECT seq FROM auth.revocations WHERE expires_at < now() - interval '10 minutes'
        LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  );
  return rowCount;
}
