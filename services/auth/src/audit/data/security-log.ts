import { type IdPage, type Sql, wayOf } from '@ostiary/database';
import { currentRequestId, currentTraceparent, isUuid, leastUuidv7, uuidv7 } from '@ostiary/service';
import { Conditions } from '../../database/data/index.ts';
import { currentActor, currentOrigin } from '../domain/origin.ts';
import type {
  Counted,
  NewSecurityEvent,
  SecurityEvent,
  SecurityLog,
  SecurityLogFilter,
  SecurityLogReader,
} from '../domain/security-log.ts';

/** By how much the time in an entry's id may differ from when it says it was. */
const clockSlackMs = 3_600_000;

/** Longest user agent that is kept. */
const longestUserAgent = 256;

/** Records what the caller's transaction does. */
export async function record(tx: Sql, tenant: string, event: NewSecurityEvent): Promise<void> {
  const { text, values } = recordClause(tenant, event, { firstParameter: 1 });
  await tx.query(`WITH ${text} SELECT`, values);
}

/** The security log in PostgreSQL. */
export const postgresSecurityLog: SecurityLog = { record };

/**
 * The same as a common table expression of the statement that makes the change, where one more round trip would be felt.
 * @param place its first parameter, and an expression without whose rows nothing is remembered
 */
export function recordClause(
  tenant: string,
  event: NewSecurityEvent,
  place: { firstParameter: number; onlyIf?: string },
): { text: string; values: unknown[] } {
  const origin = currentOrigin();
  const actor = event.actor ?? currentActor(event.subjectId);
  const p = (n: number, type: string): string => `$${place.firstParameter + n}::${type}`;
  return {
    text: `security_event AS (
      INSERT INTO auth.security_log (tenant, id, action, actor, actor_id, subject_id, resource_type, resource_id, changes,
        client_id, ip_address, user_agent, request_id, trace_id)
      SELECT ${p(0, 'text')}, ${p(1, 'uuid')}, ${p(2, 'text')}, ${p(3, 'jsonb')}, ${p(4, 'text')}, ${p(5, 'uuid')},
        ${p(6, 'text')}, ${p(7, 'text')}, ${p(8, 'jsonb')}, ${p(9, 'text')}, ${p(10, 'text')}, ${p(11, 'text')},
        ${p(12, 'text')}, ${p(13, 'text')}
      ${place.onlyIf === undefined ? '' : `WHERE EXISTS (SELECT FROM ${place.onlyIf})`})`,
    values: [
      tenant,
      event.id ?? uuidv7(),
      event.action,
      JSON.stringify(actor),
      actor.id,
      event.subjectId ?? null,
      event.resourceType,
      event.resourceId,
      JSON.stringify(event.changes ?? {}),
      origin?.principal?.clientId ?? null,
      origin?.ipAddress ?? null,
      storable(origin?.userAgent),
      currentRequestId() ?? null,
      (event.traceparent ?? currentTraceparent())?.split('-')[1] ?? null,
    ],
  };
}

const storable = (text: string | undefined): string | null =>
  text === undefined ? null : text.replaceAll('\u0000', '').slice(0, longestUserAgent);

const columns = `id, occurred_at AS "occurredAt", action, actor, subject_id AS "subjectId", resource_type AS "resourceType",
  resource_id AS "resourceId", changes, client_id AS "clientId", ip_address AS "ipAddress", user_agent AS "userAgent",
  request_id AS "requestId", trace_id AS "traceId"`;

/** One entry of a tenant's log; undefined when it has none with this id. */
export async function securityEvent(
  sql: Sql,
  tenant: string,
  id: string,
): Promise<SecurityEvent | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await sql.query<SecurityEvent>(
    `SELECT ${columns} FROM auth.security_log WHERE tenant = $1 AND id = $2::uuid`,
    [tenant, id],
  );
  return rows[0];
}

/** A stretch of the log, which is newest first. */
export async function securityEvents(
  sql: Sql,
  tenant: string,
  filter: SecurityLogFilter,
  page: IdPage,
): Promise<SecurityEvent[]> {
  const where = conditions(tenant, filter);
  const { beyond, order } = wayOf(page, { newestFirst: true });
  where.uuid('id', page.position, beyond);
  const { rows } = await sql.query<SecurityEvent>(
    `SELECT ${columns} FROM auth.security_log WHERE ${where.text} ORDER BY id ${order} LIMIT ${Math.trunc(page.limit)}`,
    where.values,
  );
  return rows;
}

/** Entries that are looked at to count. */
const countedAtMost = 20_000;

/** How many entries there are, as far as they are counted. @param most how many, the newest ones, are looked at */
export async function countSecurityEvents(
  sql: Sql,
  tenant: string,
  filter: SecurityLogFilter,
  most = countedAtMost,
): Promise<Counted> {
  const where = conditions(tenant, filter);
  const { rows } = await sql.query<{ looked: number }>(
    `SELECT count(*)::int AS looked
     FROM (SELECT FROM auth.security_log WHERE ${where.text} ORDER BY id DESC LIMIT ${most + 1}) looked`,
    where.values,
  );
  const looked = rows[0]?.looked ?? 0;
  return { total: Math.min(looked, most), isExact: looked <= most };
}

/** Deletes what is older than the retention. */
export async function pruneSecurityLog(sql: Sql, retentionSeconds: number, limit: number): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM auth.security_log WHERE (tenant, id) IN (
       SELECT tenant, id FROM auth.security_log WHERE occurred_at < now() - make_interval(secs => $1)
       ORDER BY occurred_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [retentionSeconds, limit],
  );
  return rowCount;
}

function conditions(tenant: string, filter: SecurityLogFilter): Conditions {
  const where = new Conditions('tenant = $1', tenant);
  where.uuid('subject_id', filter.subjectId);
  where.add((p) => `resource_id = ${p}::text`, filter.resourceId);
  where.add((p) => `actor_id = ${p}::text`, filter.actorId);
  where.add((p) => `actor ->> 'kind' = ${p}::text`, filter.actorKind);
  where.add((p) => `ip_address = ${p}::text`, filter.ipAddress);
  where.add((p) => `client_id = ${p}::text`, filter.clientId);
  where.add((p) => `request_id = ${p}::text`, filter.requestId);
  where.add((p) => `trace_id = ${p}::text`, filter.traceId);
  where.add((p) => `action = ${p}::text`, filter.action);
  where.add((p) => `occurred_at >= ${p}::timestamptz`, filter.since);
  where.add((p) => `occurred_at < ${p}::timestamptz`, filter.until);
  // An entry's id is made with it, so the primary key leads to a time; not to the millisecond, for there are two clocks.
  if (filter.since) {
    where.add((p) => `id >= ${p}::uuid`, leastUuidv7(filter.since.getTime() - clockSlackMs));
  }
  if (filter.until) {
    where.add((p) => `id < ${p}::uuid`, leastUuidv7(filter.until.getTime() + clockSlackMs));
  }
  return where;
}

/** @see SecurityLogReader */
export class PostgresSecurityLogReader implements SecurityLogReader {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  find(tenant: string, id: string): Promise<SecurityEvent | undefined> {
    return securityEvent(this.#sql, tenant, id);
  }

  page(tenant: string, filter: SecurityLogFilter, page: IdPage): Promise<SecurityEvent[]> {
    return securityEvents(this.#sql, tenant, filter, page);
  }

  count(tenant: string, filter: SecurityLogFilter): Promise<Counted> {
    return countSecurityEvents(this.#sql, tenant, filter);
  }
}
