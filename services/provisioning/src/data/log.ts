import type { Sql } from '@ostiary/database';
import { liveOutbox } from '@ostiary/events';

/** One SCIM request and its outcome. Holds no secret and no request body. */
export interface LogEntry {
  tenant: string;
  /** UUIDv7: orders the entries by time. */
  id: string;
  source: string;
  actorKind: string;
  actorId: string;
  at: Date;
  method: string;
  resourceType: string | null;
  resourceId: string | null;
  status: number;
  scimType: string | null;
  detail: string | null;
  requestId: string;
  durationMs: number;
}

export interface LogFilter {
  source?: string;
  resourceType?: string;
  resourceId?: string;
  /** Lowest and highest status, both included. */
  statuses?: readonly [number, number];
  /** From this moment on. */
  since?: Date;
  /** Before this moment. */
  until?: Date;
}

/** What the graph's subscribers are told by this service. */
export const liveEvents = liveOutbox('provisioning');

/** Writes entries, and what subscribers are to hear of them, in one statement. */
export async function insertLog(sql: Sql, entries: readonly LogEntry[]): Promise<void> {
  await sql.query(
    `WITH logged AS (
     INSERT INTO provisioning.provisioning_log
       (tenant, id, source, actor_kind, actor_id, at, method, resource_type, resource_id, status, scim_type, detail,
        request_id, duration_ms)
     SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[],
       $8::text[], $9::text[], $10::int[], $11::text[], $12::text[], $13::text[], $14::float8[])
     ON CONFLICT DO NOTHING
     RETURNING tenant, id, source, at, resource_type, resource_id, status)
     INSERT INTO provisioning.live_events (id, tenant, type, subject, occurred_at, data)
     SELECT id, tenant, 'provisioning.activity', id, at, jsonb_strip_nulls(jsonb_build_object(
       'source', source, 'resourceType', resource_type, 'resourceId', resource_id, 'status', status))
     FROM logged ON CONFLICT DO NOTHING`,
    [
      entries.map((entry) => entry.tenant),
      entries.map((entry) => entry.id),
      entries.map((entry) => entry.source),
      entries.map((entry) => entry.actorKind),
      entries.map((entry) => entry.actorId),
      entries.map((entry) => entry.at),
      entries.map((entry) => entry.method),
      entries.map((entry) => entry.resourceType),
      entries.map((entry) => entry.resourceId),
      entries.map((entry) => entry.status),
      entries.map((entry) => entry.scimType),
      entries.map((entry) => entry.detail),
      entries.map((entry) => entry.requestId),
      entries.map((entry) => entry.durationMs),
    ],
  );
}

/** Entries of a tenant, newest first, before the entry with the id `before`. */
export async function readLog(
  sql: Sql,
  tenant: string,
  filter: LogFilter,
  page: { limit: number; before?: string },
): Promise<LogEntry[]> {
  const { rows } = await sql.query<Record<string, unknown>>(
    `SELECT tenant, id, source, actor_kind, actor_id, at, method, resource_type, resource_id, status, scim_type,
            detail, request_id, duration_ms
       FROM provisioning.provisioning_log
      WHERE tenant = $1
        AND ($2::uuid IS NULL OR id < $2::uuid)
        AND ($3::text IS NULL OR source = $3)
        AND ($4::text IS NULL OR resource_id = $4)
        AND ($5::text IS NULL OR resource_type = $5)
        AND status BETWEEN $6 AND $7
        AND ($8::timestamptz IS NULL OR (at >= $8 AND id >= $9::uuid))
        AND ($10::timestamptz IS NULL OR at < $10)
      ORDER BY id DESC LIMIT $11`,
    [
      tenant,
      page.before ?? null,
      filter.source ?? null,
      filter.resourceId ?? null,
      filter.resourceType ?? null,
      ...(filter.statuses ?? [0, 999]),
      filter.since ?? null,
      filter.since ? firstIdAt(filter.since.getTime()) : null,
      filter.until ?? null,
      page.limit,
    ],
  );
  return rows.map(fromRow);
}

const lastInstant = 2 ** 48 - 1;

/**
 * The smallest id that an entry of this moment can have: ids are UUIDv7 of then or a little later, so nothing older has to
 * be read to find out that it is.
 */
function firstIdAt(milliseconds: number): string {
  const time = Math.min(Math.max(0, Math.ceil(milliseconds)), lastInstant);
  const digits = time.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** One entry of a tenant. */
export async function findLogEntry(sql: Sql, tenant: string, id: string): Promise<LogEntry | null> {
  const { rows } = await sql.query<Record<string, unknown>>(
    'SELECT * FROM provisioning.provisioning_log WHERE tenant = $1 AND id = $2',
    [tenant, id],
  );
  return rows[0] ? fromRow(rows[0]) : null;
}

const fromRow = (row: Record<string, unknown>): LogEntry =>
  ({
    tenant: row.tenant,
    id: row.id,
    source: row.source,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    at: row.at,
    method: row.method,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    status: row.status,
    scimType: row.scim_type,
    detail: row.detail,
    requestId: row.request_id,
    durationMs: row.duration_ms,
  }) as LogEntry;

/** Removes entries older than `days`, in one step of at most 5000. @returns how many */
export async function pruneLogByAge(sql: Sql, days: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM provisioning.provisioning_log
      WHERE ctid IN (SELECT ctid FROM provisioning.provisioning_log
                      WHERE at < now() - make_interval(days => $1::int) LIMIT 5000)`,
    [days],
  );
  return rowCount;
}

/** Keeps the newest `keep` entries of a tenant. @returns how many were removed */
export async function pruneLogByCount(sql: Sql, tenant: string, keep: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM provisioning.provisioning_log
      WHERE tenant = $1
        AND id <= (SELECT id FROM provisioning.provisioning_log
                    WHERE tenant = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
    [tenant, keep],
  );
  return rowCount;
}

/** Tenants that have entries, found by skipping from one to the next through the primary key. */
export async function tenantsWithLog(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ tenant: string }>(
    `WITH RECURSIVE t AS (
       (SELECT tenant FROM provisioning.provisioning_log ORDER BY tenant LIMIT 1)
       UNION ALL
       SELECT (SELECT l.tenant FROM provisioning.provisioning_log l WHERE l.tenant > t.tenant ORDER BY l.tenant LIMIT 1)
         FROM t WHERE t.tenant IS NOT NULL
     )
     SELECT tenant FROM t WHERE tenant IS NOT NULL`,
  );
  return rows.map((row) => row.tenant);
}
