import type { Database, Sql, Transaction } from '@ostiary/database';
import { wakeWorkers } from '../../events/data/index.ts';
import {
  type Cursor,
  directoryFactTypes,
  type FactCursors,
  type FactSubject,
  giveWay,
  type LockedCursor,
  type OrderedSubject,
  orderKey,
  subjectKeyOf,
} from '../../events/index.ts';

export async function tenantsToTell(sql: Sql, tenants: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql.query<{ tenant: string }>(
    `SELECT DISTINCT tenant FROM auth.receivers
      WHERE tenant = ANY ($1::text[]) AND status <> 'disabled' AND fact_types && $2::text[]`,
    [tenants, directoryFactTypes],
  );
  return new Set(rows.map((row) => row.tenant));
}

const columnsOf = (subjects: readonly OrderedSubject[]) => [
  subjects.map(({ tenant }) => tenant),
  subjects.map(({ kind }) => kind),
  subjects.map(({ id }) => id),
];

export async function lockCursors(
  tx: Sql,
  subjects: readonly OrderedSubject[],
): Promise<Map<string, LockedCursor>> {
  const columns = columnsOf(subjects);
  await tx.query(
    `INSERT INTO auth.fact_cursors (tenant, subject_kind, subject_id, early)
     SELECT tenant, kind, id, '{}' FROM unnest($1::text[], $2::text[], $3::text[]) AS s (tenant, kind, id)
     ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
    columns,
  );
  const { rows } = await tx.query<{
    tenant: string;
    kind: FactSubject['kind'];
    id: string;
    version: string | null;
    early: string[];
    heardOf: string | null;
    idleSeconds: number;
  }>(
    `SELECT c.tenant, c.subject_kind AS kind, c.subject_id AS id, c.version::text AS version, c.early::text[] AS early,
            (SELECT p.version::text FROM auth.subjects p WHERE p.tenant = c.tenant
              AND p.id = CASE WHEN c.subject_kind = 'user' THEN c.subject_id::uuid END) AS "heardOf",
            extract(epoch FROM now() - c.changed_at)::float8 AS "idleSeconds"
     FROM auth.fact_cursors c
     JOIN unnest($1::text[], $2::text[], $3::text[]) AS s (tenant, kind, id)
       ON s.tenant = c.tenant AND s.kind = c.subject_kind AND s.id = c.subject_id
     ORDER BY c.tenant, c.subject_kind, c.subject_id FOR UPDATE OF c`,
    columns,
  );
  return new Map(
    rows.map(({ version, early, heardOf, idleSeconds, ...subject }) => [
      orderKey(subject),
      {
        version: version === null ? null : BigInt(version),
        early: early.map(BigInt),
        heardOf: heardOf === null ? null : BigInt(heardOf),
        idleSeconds,
      },
    ]),
  );
}

export async function moveCursors(
  tx: Sql,
  moved: readonly (OrderedSubject & { cursor: Cursor })[],
): Promise<void> {
  await tx.query(
    `UPDATE auth.fact_cursors c SET version = s.version, early = s.early::bigint[], changed_at = now()
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS s (tenant, kind, id, version, early)
     WHERE c.tenant = s.tenant AND c.subject_kind = s.kind AND c.subject_id = s.id`,
    [
      ...columnsOf(moved),
      moved.map(({ cursor }) => cursor.version?.toString() ?? null),
      moved.map(({ cursor }) => `{${cursor.early.join(',')}}`),
    ],
  );
}

export async function releaseHeld(
  tx: Sql | Transaction,
  released: readonly (OrderedSubject & { version: bigint })[],
): Promise<number> {
  if (released.length === 0) return 0;
  const { rowCount } = await tx.query(
    `WITH due AS MATERIALIZED (
       SELECT tenant, id, nextval(pg_get_serial_sequence('auth.deliveries', 'position')) AS position FROM (
         SELECT d.tenant, d.id
         FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY AS v (tenant, subject_key, version, nth)
         JOIN auth.deliveries d ON d.state = 'held' AND d.tenant = v.tenant AND d.subject_key = v.subject_key
         JOIN auth.facts f ON f.tenant = d.tenant AND f.id = d.fact_id AND f.version = v.version
         ORDER BY v.nth, d.position) ordered
     )
     UPDATE auth.deliveries d SET state = 'pending', position = due.position, due_at = now() FROM due
     WHERE d.tenant = due.tenant AND d.id = due.id`,
    [
      released.map(({ tenant }) => tenant),
      released.map(({ kind, id }) => subjectKeyOf({ kind, id })),
      released.map(({ version }) => version.toString()),
    ],
  );
  return rowCount;
}

/**
 * Lets go what has waited for its predecessors long enough.
 * @returns how many deliveries; and whether there may be more
 */
export async function releaseOverdue(
  database: Pick<Database<unknown>, 'transaction'>,
  limit: number,
): Promise<{ released: number; more: boolean }> {
  return database.transaction(async (tx) => {
    const found = await overdue(tx, limit);
    if (found.length === 0) return { released: 0, more: false };
    const cursors = await lockCursors(tx, found);
    // Looked at again behind the lock: somebody else may have let them go meanwhile, and what waits now isn't overdue.
    const rows = (await overdue(tx, limit)).filter((subject) => cursors.has(orderKey(subject)));
    const moved: (OrderedSubject & { cursor: Cursor })[] = [];
    const released: (OrderedSubject & { version: bigint })[] = [];
    for (const subject of rows) {
      const before = cursors.get(orderKey(subject));
      if (!before) continue;
      const { cursor, released: versions } = giveWay(before);
      moved.push({ ...subject, cursor });
      released.push(...versions.map((version) => ({ ...subject, version })));
    }
    await moveCursors(tx, moved);
    const count = (await releaseHeld(tx, released)) + (await releaseForgotten(tx, limit));
    for (const tenant of new Set(rows.map((row) => row.tenant))) await wakeWorkers(tx, tenant);
    return { released: count, more: found.length === limit };
  });
}

/** Subjects of which something has waited longer than it should. */
async function overdue(tx: Sql, limit: number): Promise<OrderedSubject[]> {
  const { rows } = await tx.query<OrderedSubject>(
    `SELECT DISTINCT f.tenant, f.subject_kind AS kind, f.subject_id AS id
     FROM (SELECT tenant, fact_id FROM auth.deliveries
            WHERE state = 'held' AND due_at <= now() ORDER BY due_at LIMIT $1) d
     JOIN auth.facts f ON f.tenant = d.tenant AND f.id = d.fact_id ORDER BY 1, 2, 3`,
    [limit],
  );
  return rows;
}

/** Held deliveries that no cursor knows of (any more), long after their time. */
async function releaseForgotten(tx: Sql, limit: number): Promise<number> {
  const { rowCount } = await tx.query(
    `UPDATE auth.deliveries SET state = 'pending', due_at = now()
      WHERE (tenant, id) IN (SELECT tenant, id FROM auth.deliveries
        WHERE state = 'held' AND due_at < now() - interval '1 minute' LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  );
  return rowCount;
}

/** Forgets where subjects are that haven't changed for a day. */
export async function pruneCursors(sql: Sql, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM auth.fact_cursors WHERE (tenant, subject_kind, subject_id) IN (
       SELECT tenant, subject_kind, subject_id FROM auth.fact_cursors WHERE changed_at < now() - interval '1 day'
       ORDER BY changed_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  );
  return rowCount;
}

/** The cursors of facts in PostgreSQL. */
export const postgresFactCursors: FactCursors = { tenantsToTell, lockCursors, moveCursors, releaseHeld };
