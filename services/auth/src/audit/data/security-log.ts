import { type IdPage, type Sql, statement, type ValuesOf, wayOf } from '@ostiary/database';
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

/** Of an entry of the log, in whichever statement writes it. */
export const securityEventParameters = {
  eventTenant: 'text',
  eventId: 'uuid',
  eventAction: 'text',
  eventActor: 'jsonb',
  eventActorId: 'text',
  eventSubjectId: 'uuid?',
  eventResourceType: 'text',
  eventResourceId: 'text',
  eventChanges: 'jsonb',
  eventClientId: 'text?',
  eventIpAddress: 'text?',
  eventUserAgent: 'text?',
  eventRequestId: 'text?',
  eventTraceId: 'text?',
} as const;

/** What is written of an event: the values of `securityEventParameters`. */
export function securityEventValues(
  tenant: string,
  event: NewSecurityEvent,
): ValuesOf<typeof securityEventParameters> {
  const origin = currentOrigin();
  const actor = event.actor ?? currentActor(event.subjectId);
  return {
    eventTenant: tenant,
    eventId: event.id ?? uuidv7(),
    eventAction: event.action,
    eventActor: actor,
    eventActorId: actor.id,
    eventSubjectId: event.subjectId,
    eventResourceType: event.resourceType,
    eventResourceId: event.resourceId,
    eventChanges: event.changes ?? {},
    eventClientId: origin?.principal?.clientId,
    eventIpAddress: origin?.ipAddress,
    eventUserAgent: storable(origin?.userAgent),
    eventRequestId: currentRequestId(),
    eventTraceId: (event.traceparent ?? currentTraceparent())?.split('-')[1],
  };
}

const insertion = `INSERT INTO auth.security_log (tenant, id, action, actor, actor_id, subject_id, resource_type, resource_id,
    changes, client_id, ip_address, user_agent, request_id, trace_id)
  SELECT $eventTenant::text, $eventId::uuid, $eventAction::text, $eventActor::jsonb, $eventActorId::text, $eventSubjectId::uuid,
    $eventResourceType::text, $eventResourceId::text, $eventChanges::jsonb, $eventClientId::text, $eventIpAddress::text,
    $eventUserAgent::text, $eventRequestId::text, $eventTraceId::text`;

const recordEvent = statement({
  name: 'audit.record',
  reason: 'hot path',
  text: insertion,
  parameters: securityEventParameters,
});

/** Records what the caller's transaction does. */
export async function record(tx: Sql, tenant: string, event: NewSecurityEvent): Promise<void> {
  await recordEvent.run(tx, securityEventValues(tenant, event));
}

/** The security log in PostgreSQL. */
export const postgresSecurityLog: SecurityLog = { record };

/**
 * The same as a common table expression of the statement that makes the change, where one more round trip would be felt. The
 * statement has `securityEventParameters` among its own.
 * @param onlyIf an expression without whose rows nothing is remembered
 */
export const securityEventClause = (onlyIf: string): string =>
  `security_event AS (${insertion} WHERE EXISTS (SELECT FROM ${onlyIf}))`;

const storable = (text: string | undefined): string | undefined =>
  text?.replaceAll('\u0000', '').slice(0, longestUserAgent);

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
