import { type Sql, wayOf } from '@ostiary/database';
import { liveOutbox } from '@ostiary/events';
import { type IdPage, leastUuidv7 } from '@ostiary/service';
import type { Counted } from '../../connectors/index.ts';
import type {
  LogEntry,
  LogFilter,
  ProvisioningLog,
  ProvisioningLogQueries,
} from '../domain/provisioning-log.ts';

/** What the graph's subscribers are notified of by this service. */
export const liveEvents = liveOutbox('provisioning');

/** Writes entries, and what subscribers are notified of them, in one statement. */
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

/** Entries of a tenant, newest first. */
export async function readLog(
  sql: Sql,
  tenant: string,
  filter: LogFilter,
  page: IdPage,
): Promise<LogEntry[]> {
  const { beyond, order } = wayOf(page, { newestFirst: true });
  const { rows } = await sql.query<Record<string, unknown>>(
    `SELECT tenant, id, source, actor_kind, actor_id, at, method, resource_type, resource_id, status, scim_type,
            detail, request_id, duration_ms
       FROM provisioning.provisioning_log
      WHERE tenant = $1
        AND ($2::uuid IS NULL OR id ${beyond} $2::uuid)
        AND ($3::text IS NULL OR source = $3)
        AND ($4::text IS NULL OR resource_id = $4)
        AND ($5::text IS NULL OR resource_type = $5)
        AND status BETWEEN $6 AND $7
        AND ($8::timestamptz IS NULL OR (at >= $8 AND id >= $9::uuid))
        AND ($10::timestamptz IS NULL OR at < $10)
      ORDER BY id ${order} LIMIT $11`,
    [
      tenant,
      page.position ?? null,
      filter.source ?? null,
      filter.resourceId ?? null,
      filter.resourceType ?? null,
      ...(filter.statuses ?? [0, 999]),
      filter.since ?? null,
      filter.since ? leastUuidv7(filter.since.getTime()) : null,
      filter.until ?? null,
      page.limit,
    ],
  );
  return rows.map(fromRow);
}

/** Entries that are looked at to count. */
const countedAtMost = 20_000;

/**
 * How many entries the filter matches, of the newest `most` of those that its source and times lead to: what else it says is
 * behind no index, and something rare would be looked for to the end of the log.
 */
export async function countLog(
  sql: Sql,
  tenant: string,
  filter: LogFilter,
  most = countedAtMost,
): Promise<Counted> {
  const { rows } = await sql.query<{ looked: number; total: number }>(
    `SELECT count(*)::int AS looked, count(*) FILTER (
              WHERE place <= $9 AND ($2::text IS NULL OR resource_id = $2) AND ($3::text IS NULL OR resource_type = $3)
                AND status BETWEEN $4 AND $5)::int AS total
       FROM (SELECT resource_id, resource_type, status, row_number() OVER (ORDER BY id DESC) AS place
               FROM provisioning.provisioning_log
              WHERE tenant = $1
                AND ($6::text IS NULL OR source = $6)
                AND ($7::timestamptz IS NULL OR (at >= $7 AND id >= $8::uuid))
                AND ($10::timestamptz IS NULL OR at < $10)
              ORDER BY id DESC LIMIT $9 + 1) looked`,
    [
      tenant,
      filter.resourceId ?? null,
      filter.resourceType ?? null,
      ...(filter.statuses ?? [0, 999]),
      filter.source ?? null,
      filter.since ?? null,
      filter.since ? leastUuidv7(filter.since.getTime()) : null,
      most,
      filter.until ?? null,
    ],
  );
  const { looked = 0, total = 0 } = rows[0] ?? {};
  return { total, isExact: looked <= most };
}

/** Entries of a tenant by their ids. */
async function findLogEntries(sql: Sql, tenant: string, ids: readonly string[]): Promise<LogEntry[]> {
  const { rows } = await sql.query<Record<string, unknown>>(
    'SELECT * FROM provisioning.provisioning_log WHERE tenant = $1 AND id = ANY($2::uuid[])',
    [tenant, ids],
  );
  return rows.map(fromRow);
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

export const provisioningLog: ProvisioningLog = { insert: insertLog };

export const provisioningLogQueries: ProvisioningLogQueries = {
  read: readLog,
  count: countLog,
  byIds: findLogEntries,
};
