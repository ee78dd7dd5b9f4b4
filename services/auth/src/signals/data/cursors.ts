import { type Database, type Sql, statement, type Transaction, typed } from '@ostiary/database';
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
} from '../../tenancy/index.ts';
import { fromSubject } from '../../tenancy/users/data/subject-conditions.ts';
import { wakeWorkers } from './facts.ts';

const wantingTenants = statement({
  name: 'signals.tenants-to-notify',
  reason: 'set',
  text: `SELECT DISTINCT tenant FROM auth.receivers
      WHERE tenant = ANY ($tenants::text[]) AND status <> 'disabled' AND fact_types && $factTypes::text[]`,
  parameters: { tenants: 'text[]', factTypes: 'text[]' },
  columns: { tenant: 'text' },
});

export async function tenantsToTell(sql: Sql, tenants: readonly string[]): Promise<Set<string>> {
  const rows = await wantingTenants.rows(sql, { tenants, factTypes: directoryFactTypes });
  return new Set(rows.map((row) => row.tenant));
}

const subjectParameters = { tenants: 'text[]', kinds: 'text[]', ids: 'text[]' } as const;

const columnsOf = (subjects: readonly OrderedSubject[]) => ({
  tenants: subjects.map(({ tenant }) => tenant),
  kinds: subjects.map(({ kind }) => kind),
  ids: subjects.map(({ id }) => id),
});

const insertCursors = statement({
  name: 'signals.insert-cursors',
  reason: 'set',
  text: `INSERT INTO auth.fact_cursors (tenant, subject_kind, subject_id, early)
     SELECT tenant, kind, id, '{}' FROM unnest($tenants::text[], $kinds::text[], $ids::text[]) AS s (tenant, kind, id)
     ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
  parameters: subjectParameters,
});

const readCursors = statement({
  name: 'signals.lock-cursors',
  reason: 'set',
  text: `SELECT c.tenant, c.subject_kind AS kind, c.subject_id AS id, c.version::text AS version, c.early::text[] AS early,
            (SELECT p.version::text ${fromSubject('p', 'c.tenant', "= CASE WHEN c.subject_kind = 'user' THEN c.subject_id::uuid END")}) AS "heardOf",
            extract(epoch FROM now() - c.changed_at)::float8 AS "idleSeconds"
     FROM auth.fact_cursors c
     JOIN unnest($tenants::text[], $kinds::text[], $ids::text[]) AS s (tenant, kind, id)
       ON s.tenant = c.tenant AND s.kind = c.subject_kind AND s.id = c.subject_id
     ORDER BY c.tenant, c.subject_kind, c.subject_id FOR UPDATE OF c`,
  parameters: subjectParameters,
  columns: {
    tenant: 'text',
    kind: typed<FactSubject['kind']>('text'),
    id: 'text',
    version: 'text?',
    early: 'text[]',
    heardOf: 'text?',
    idleSeconds: 'float8',
  },
});

export async function lockCursors(
  tx: Sql,
  subjects: readonly OrderedSubject[],
): Promise<Map<string, LockedCursor>> {
  const columns = columnsOf(subjects);
  await insertCursors.run(tx, columns);
  const rows = await readCursors.rows(tx, columns);
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

const storeCursors = statement({
  name: 'signals.move-cursors',
  reason: 'set',
  text: `UPDATE auth.fact_cursors c SET version = s.version, early = s.early::bigint[], changed_at = now()
     FROM unnest($tenants::text[], $kinds::text[], $ids::text[], $versions::bigint[], $early::text[])
          AS s (tenant, kind, id, version, early)
     WHERE c.tenant = s.tenant AND c.subject_kind = s.kind AND c.subject_id = s.id`,
  parameters: { ...subjectParameters, versions: 'int8[]', early: 'text[]' },
});

export async function moveCursors(
  tx: Sql,
  moved: readonly (OrderedSubject & { cursor: Cursor })[],
): Promise<void> {
  await storeCursors.run(tx, {
    ...columnsOf(moved),
    versions: moved.map(({ cursor }) => cursor.version?.toString() ?? null),
    early: moved.map(({ cursor }) => `{${cursor.early.join(',')}}`),
  });
}

const release = statement({
  name: 'signals.release-held',
  reason: 'set',
  text: `WITH due AS MATERIALIZED (
       SELECT tenant, id, nextval(pg_get_serial_sequence('auth.deliveries', 'position')) AS position FROM (
         SELECT d.tenant, d.id
         FROM unnest($tenants::text[], $subjectKeys::text[], $versions::bigint[]) WITH ORDINALITY
              AS v (tenant, subject_key, version, nth)
         JOIN auth.deliveries d ON d.state = 'held' AND d.tenant = v.tenant AND d.subject_key = v.subject_key
         JOIN auth.facts f ON f.tenant = d.tenant AND f.id = d.fact_id AND f.version = v.version
         ORDER BY v.nth, d.position) ordered
     )
     UPDATE auth.deliveries d SET state = 'pending', position = due.position, due_at = now() FROM due
     WHERE d.tenant = due.tenant AND d.id = due.id`,
  parameters: { tenants: 'text[]', subjectKeys: 'text[]', versions: 'int8[]' },
});

export async function releaseHeld(
  tx: Sql | Transaction,
  released: readonly (OrderedSubject & { version: bigint })[],
): Promise<number> {
  if (released.length === 0) return 0;
  return release.count(tx, {
    tenants: released.map(({ tenant }) => tenant),
    subjectKeys: released.map(({ kind, id }) => subjectKeyOf({ kind, id })),
    versions: released.map(({ version }) => version),
  });
}

/**
 * Releases deliveries that waited too long for an earlier version of their subject.
 * @returns number of deliveries released, and whether there may be more
 */
export async function releaseOverdue(
  database: Database<unknown>,
  limit: number,
): Promise<{ released: number; more: boolean }> {
  return database.transaction(async (tx) => {
    const found = await overdue(tx, limit);
    if (found.length === 0) return { released: 0, more: false };
    const cursors = await lockCursors(tx, found);
    // Read again with the cursors locked: another process may have released them in the meantime.
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

const findOverdue = statement({
  name: 'signals.overdue',
  reason: 'set',
  text: `SELECT DISTINCT f.tenant, f.subject_kind AS kind, f.subject_id AS id
     FROM (SELECT tenant, fact_id FROM auth.deliveries
            WHERE state = 'held' AND due_at <= now() ORDER BY due_at LIMIT $limit) d
     JOIN auth.facts f ON f.tenant = d.tenant AND f.id = d.fact_id ORDER BY 1, 2, 3`,
  parameters: { limit: 'int8' },
  columns: { tenant: 'text', kind: typed<OrderedSubject['kind']>('text'), id: 'text' },
});

/** Subjects with held deliveries past their time. */
const overdue = (tx: Sql, limit: number): Promise<OrderedSubject[]> => findOverdue.rows(tx, { limit });

const releaseOrphans = statement({
  name: 'signals.release-forgotten',
  reason: 'set',
  text: `UPDATE auth.deliveries SET state = 'pending', due_at = now()
      WHERE (tenant, id) IN (SELECT tenant, id FROM auth.deliveries
        WHERE state = 'held' AND due_at < now() - interval '1 minute' LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  parameters: { limit: 'int8' },
});

/** Releases held deliveries that no cursor tracks, one minute after their time. */
const releaseForgotten = (tx: Sql, limit: number): Promise<number> => releaseOrphans.count(tx, { limit });

const deleteIdle = statement({
  name: 'signals.prune-cursors',
  reason: 'set',
  text: `DELETE FROM auth.fact_cursors WHERE (tenant, subject_kind, subject_id) IN (
       SELECT tenant, subject_kind, subject_id FROM auth.fact_cursors WHERE changed_at < now() - interval '1 day'
       ORDER BY changed_at LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  parameters: { limit: 'int8' },
});

/** Deletes cursors that have not moved for a day. */
export const pruneCursors = (sql: Sql, limit: number): Promise<number> => deleteIdle.count(sql, { limit });

export const postgresFactCursors: FactCursors = { tenantsToTell, lockCursors, moveCursors, releaseHeld };
