import { type ReplicaReads, type Sql, statement, type ValuesOf } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import {
  type BoundedCount,
  currentRequestId,
  currentTraceparent,
  type IdPage,
  isUuid,
  minUuidv7,
  uuidv7,
} from '@ostiary/service';
import type { Connection } from '../database/data/connection.ts';
import { defined, stretchOf } from '../database/data/stretch.ts';
import type { Prisma, PrismaClient } from '../database/generated/client.ts';
import type { Changes } from './domain/changes.ts';
import { currentActor, currentOrigin } from './domain/origin.ts';
import type {
  NewSecurityEvent,
  SecurityAction,
  SecurityEvent,
  SecurityLog,
  SecurityLogFilter,
  SecurityLogReader,
} from './domain/security-log.ts';

/** Maximum difference in milliseconds between the time in the id of an entry and its `occurredAt`. */
const clockSlackMs = 3_600_000;

/** Maximum length of a stored user agent. Longer ones are truncated. */
const maxUserAgentLength = 256;

/** Parameters of an entry, for every statement that writes one. */
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

export async function record(tx: Sql, tenant: string, event: NewSecurityEvent): Promise<void> {
  await recordEvent.run(tx, securityEventValues(tenant, event));
}

export const postgresSecurityLog: SecurityLog = { record };

/**
 * Returns the insertion as a common table expression, for statements that cannot afford another round trip. The
 * statement declares `securityEventParameters` among its own.
 * @param onlyIf name of an expression; without rows in it, no entry is written
 */
export const securityEventClause = (onlyIf: string): string =>
  `security_event AS (${insertion} WHERE EXISTS (SELECT FROM ${onlyIf}))`;

const storable = (text: string | undefined): string | undefined =>
  text?.replaceAll('\u0000', '').slice(0, maxUserAgentLength);

const columns = {
  id: true,
  occurredAt: true,
  action: true,
  actor: true,
  subjectId: true,
  resourceType: true,
  resourceId: true,
  changes: true,
  clientId: true,
  ipAddress: true,
  userAgent: true,
  requestId: true,
  traceId: true,
} as const satisfies Prisma.SecurityEventSelect;

/** The JSON columns contain values that `record` wrote. */
const toEvent = (row: Prisma.SecurityEventGetPayload<{ select: typeof columns }>): SecurityEvent => ({
  ...row,
  actor: row.actor as unknown as Actor,
  changes: row.changes as Changes,
});

/** Returns an entry of a tenant's log; undefined if it does not exist. */
export async function securityEvent(
  sql: Connection,
  tenant: string,
  id: string,
): Promise<SecurityEvent | undefined> {
  if (!isUuid(id)) return undefined;
  const prisma = await sql.prisma();
  const row = await prisma.securityEvent.findUnique({
    where: { tenant_id: { tenant, id } },
    select: columns,
  });
  return row === null ? undefined : toEvent(row);
}

/** Returns a page of the log, newest entries first. */
export async function securityEvents(
  sql: Connection,
  tenant: string,
  filter: SecurityLogFilter,
  page: IdPage,
): Promise<SecurityEvent[]> {
  const { beyond, ...stretch } = stretchOf(page, { newestFirst: true });
  const where = conditions(tenant, filter);
  if (where === undefined || (page.position !== undefined && !isUuid(page.position))) return [];
  const prisma = await sql.prisma();
  const rows = await prisma.securityEvent.findMany({
    where: { AND: [where, beyond] },
    ...stretch,
    select: columns,
  });
  return rows.map(toEvent);
}

/** Maximum number of entries that are counted. */
const countedAtMost = 20_000;

/** Counts entries up to a maximum. @param most maximum number of entries, the newest ones */
export async function countSecurityEvents(
  sql: Connection,
  tenant: string,
  filter: SecurityLogFilter,
  most = countedAtMost,
): Promise<BoundedCount> {
  const where = conditions(tenant, filter);
  if (where === undefined) return { total: 0, isExact: true };
  const prisma = await sql.prisma();
  const looked = await prisma.securityEvent.count({ where, orderBy: { id: 'desc' }, take: most + 1 });
  return { total: Math.min(looked, most), isExact: looked <= most };
}

const pruneEvents = statement({
  name: 'audit.prune',
  reason: 'set',
  text: `DELETE FROM auth.security_log WHERE (tenant, id) IN (
           SELECT tenant, id FROM auth.security_log WHERE occurred_at < now() - make_interval(secs => $retentionSeconds)
           ORDER BY occurred_at LIMIT $limit FOR UPDATE SKIP LOCKED)`,
  parameters: { retentionSeconds: 'float8', limit: 'int8' },
});

export const pruneSecurityLog = (sql: Sql, retentionSeconds: number, limit: number): Promise<number> =>
  pruneEvents.count(sql, { retentionSeconds, limit });

export const securityEventNode = `SELECT 'SecurityEvent' AS type, id::text AS id, subject_id::text AS "ownerId" FROM auth.security_log
   WHERE tenant = $tenant AND id = ANY($uuids::uuid[])`;

/** Returns the entries with an action as a relation, which PostgreSQL merges with its query. */
export const entriesWith = (action: SecurityAction): string =>
  `(SELECT * FROM auth.security_log WHERE action = '${action}')`;

/** Returns the conditions of a filter; undefined if no entry can meet them. */
function conditions(tenant: string, filter: SecurityLogFilter): Prisma.SecurityEventWhereInput | undefined {
  const { subjectId, actorKind, since, until, ...equal } = filter;
  if (subjectId !== undefined && !isUuid(subjectId)) return undefined;
  return {
    ...defined({ ...equal, subjectId }),
    tenant,
    ...(actorKind !== undefined && { actor: { path: ['kind'], equals: actorKind } }),
    occurredAt: defined({ gte: since, lt: until }),
    // The id contains the time of its creation, so the primary key serves time ranges. Its clock differs from that of
    // `occurredAt`, hence the slack.
    id: defined({
      gte: since && minUuidv7(since.getTime() - clockSlackMs),
      lt: until && minUuidv7(until.getTime() + clockSlackMs),
    }),
  };
}

/** @see SecurityLogReader */
export class PostgresSecurityLogReader implements SecurityLogReader {
  readonly #sql: Connection;
  readonly #replica: ReplicaReads<PrismaClient>;

  constructor(sql: Connection, replica: ReplicaReads<PrismaClient>) {
    this.#sql = sql;
    this.#replica = replica;
  }

  find(tenant: string, id: string): Promise<SecurityEvent | undefined> {
    return securityEvent(this.#sql, tenant, id);
  }

  page(tenant: string, filter: SecurityLogFilter, page: IdPage): Promise<SecurityEvent[]> {
    return this.#replica.read('auth.securityLog.page', [tenant], this.#sql, (sql) =>
      securityEvents(sql, tenant, filter, page),
    );
  }

  count(tenant: string, filter: SecurityLogFilter): Promise<BoundedCount> {
    return this.#replica.read('auth.securityLog.count', [tenant], this.#sql, (sql) =>
      countSecurityEvents(sql, tenant, filter),
    );
  }
}
