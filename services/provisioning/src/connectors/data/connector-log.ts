import { type Sql, wayOf } from '@ostiary/database';
import {
  currentAddress,
  currentRequestId,
  currentTraceparent,
  currentUserAgent,
  type IdPage,
  leastUuidv7,
  uuidv7,
} from '@ostiary/service';
import type { ChangeRequest } from '../domain/connector-changes.ts';
import type {
  ConnectorLog,
  ConnectorLogEntry,
  ConnectorLogFilter,
  ConnectorLogQueries,
  RecordedChange,
} from '../domain/connector-log.ts';
import type { Counted } from '../domain/counted.ts';

/** Entries that are looked at to count. */
const countedAtMost = 20_000;

/** By how much the time in an entry's id may differ from when it says it was: there are two clocks. */
const clockSlackMs = 3_600_000;

/** Longest user agent that is kept. */
const longestUserAgent = 256;

/** Remembers what the caller's transaction does, with the audit context of the request being served. */
async function record(
  tx: Sql,
  { tenant, actor, clientId }: ChangeRequest,
  entry: RecordedChange,
): Promise<void> {
  await tx.query(
    `INSERT INTO provisioning.connector_log (tenant, id, action, actor, actor_id, connector_id, connector_version, changes,
       client_id, ip_address, user_agent, request_id, trace_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      tenant,
      uuidv7(),
      entry.action,
      JSON.stringify(actor),
      actor.id,
      entry.connectorId,
      entry.connectorVersion,
      JSON.stringify(entry.changes),
      clientId,
      currentAddress() ?? null,
      currentUserAgent()?.replaceAll('\u0000', '').slice(0, longestUserAgent) ?? null,
      currentRequestId() ?? null,
      currentTraceparent()?.split('-')[1] ?? null,
    ],
  );
}

const columns = `id, occurred_at AS "occurredAt", action, actor, connector_id AS "connectorId",
  connector_version AS "connectorVersion", changes, client_id AS "clientId", ip_address AS "ipAddress",
  user_agent AS "userAgent", request_id AS "requestId", trace_id AS "traceId"`;

const matching = `tenant = $1
  AND ($2::uuid IS NULL OR connector_id = $2::uuid)
  AND ($3::text IS NULL OR actor_id = $3)
  AND ($4::text IS NULL OR action = $4)
  AND ($5::timestamptz IS NULL OR (occurred_at >= $5 AND id >= $6::uuid))
  AND ($7::timestamptz IS NULL OR (occurred_at < $7 AND id < $8::uuid))
  AND ($9::text IS NULL OR ip_address = $9)
  AND ($10::text IS NULL OR client_id = $10)
  AND ($11::text IS NULL OR request_id = $11)
  AND ($12::text IS NULL OR trace_id = $12)`;

const valuesOf = (tenant: string, filter: ConnectorLogFilter): unknown[] => [
  tenant,
  filter.connectorId ?? null,
  filter.actorId ?? null,
  filter.action ?? null,
  filter.since ?? null,
  filter.since ? leastUuidv7(filter.since.getTime() - clockSlackMs) : null,
  filter.until ?? null,
  filter.until ? leastUuidv7(filter.until.getTime() + clockSlackMs) : null,
  filter.ipAddress ?? null,
  filter.clientId ?? null,
  filter.requestId ?? null,
  filter.traceId ?? null,
];

/** Entries of a tenant, newest first. */
async function read(
  sql: Sql,
  tenant: string,
  filter: ConnectorLogFilter,
  page: IdPage,
): Promise<ConnectorLogEntry[]> {
  const { beyond, order } = wayOf(page, { newestFirst: true });
  const { rows } = await sql.query<ConnectorLogEntry>(
    `SELECT ${columns} FROM provisioning.connector_log
      WHERE ${matching} AND ($13::uuid IS NULL OR id ${beyond} $13::uuid) ORDER BY id ${order} LIMIT $14`,
    [...valuesOf(tenant, filter), page.position ?? null, page.limit],
  );
  return rows;
}

/** How many entries there are, as far as they are counted. @param most how many, the newest ones, are looked at */
export async function countConnectorLog(
  sql: Sql,
  tenant: string,
  filter: ConnectorLogFilter,
  most = countedAtMost,
): Promise<Counted> {
  const { rows } = await sql.query<{ looked: number }>(
    `SELECT count(*)::int AS looked
       FROM (SELECT FROM provisioning.connector_log WHERE ${matching} ORDER BY id DESC LIMIT $13) looked`,
    [...valuesOf(tenant, filter), most + 1],
  );
  const looked = rows[0]?.looked ?? 0;
  return { total: Math.min(looked, most), isExact: looked <= most };
}

/** Entries of a tenant by their ids. */
async function byIds(sql: Sql, tenant: string, ids: readonly string[]): Promise<ConnectorLogEntry[]> {
  const { rows } = await sql.query<ConnectorLogEntry>(
    `SELECT ${columns} FROM provisioning.connector_log WHERE tenant = $1 AND id = ANY($2::uuid[])`,
    [tenant, ids],
  );
  return rows;
}

/** Removes entries older than `days`, in one step of at most 1000. @returns how many */
export async function pruneConnectorLog(sql: Sql, days: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM provisioning.connector_log
      WHERE ctid IN (SELECT ctid FROM provisioning.connector_log
                      WHERE occurred_at < now() - make_interval(days => $1::int) LIMIT 1000)`,
    [days],
  );
  return rowCount;
}

export const connectorLog: ConnectorLog = { record };

export const connectorLogQueries: ConnectorLogQueries = { read, count: countConnectorLog, byIds };
