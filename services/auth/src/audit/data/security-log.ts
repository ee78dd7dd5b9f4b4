import { type ReplicaReads, type Sql, statement, type ValuesOf } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import {
  currentRequestId,
  currentTraceparent,
  type IdPage,
  isUuid,
  leastUuidv7,
  uuidv7,
} from '@ostiary/service';
import { type Connection, defined, stretchOf } from '../../database/data/index.ts';
import type { Prisma, PrismaClient } from '../../database/generated/client.ts';
import type { Changes } from '../domain/changes.ts';
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

/** What is JSON in it was written by `record`. */
const toEvent = (row: Prisma.SecurityEventGetPayload<{ select: typeof columns }>): SecurityEvent => ({
  ...row,
  actor: row.actor as unknown as Actor,
  changes: row.changes as Changes,
});

/** One entry of a tenant's log; undefined when it has none with this id. */
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

/** A stretch of the log, which is newest first. */
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

/** Entries that are looked at to count. */
const countedAtMost = 20_000;

/** How many entries there are, as far as they are counted. @param most how many, the newest ones, are looked at */
export async function countSecurityEvents(
  sql: Connection,
  tenant: string,
  filter: SecurityLogFilter,
  most = countedAtMost,
): Promise<Counted> {
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

/** Deletes what is older than the retention. */
export const pruneSecurityLog = (sql: Sql, retentionSeconds: number, limit: number): Promise<number> =>
  pruneEvents.count(sql, { retentionSeconds, limit });

/** Undefined when nothing can meet them. */
function conditions(tenant: string, filter: SecurityLogFilter): Prisma.SecurityEventWhereInput | undefined {
  const { subjectId, actorKind, since, until, ...equal } = filter;
  if (subjectId !== undefined && !isUuid(subjectId)) return undefined;
  return {
    ...defined({ ...equal, subjectId }),
    tenant,
    ...(actorKind !== undefined && { actor: { path: ['kind'], equals: actorKind } }),
    occurredAt: defined({ gte: since, lt: until }),
    // An entry's id is made with it, so the primary key leads to a time; not to the millisecond, for there are two clocks.
    id: defined({
      gte: since && leastUuidv7(since.getTime() - clockSlackMs),
      lt: until && leastUuidv7(until.getTime() + clockSlackMs),
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

  count(tenant: string, filter: SecurityLogFilter): Promise<Counted> {
    return this.#replica.read('auth.securityLog.count', [tenant], this.#sql, (sql) =>
      countSecurityEvents(sql, tenant, filter),
    );
  }
}
