import { type ReplicaReads, type Sql, statement, stretchOf } from '@ostiary/database';
import { liveOutbox } from '@ostiary/events';
import { type BoundedCount, type IdPage, minUuidv7 } from '@ostiary/service';
import type { Connection, Prisma, PrismaClient } from '../database/data/database.ts';
import type { LogEntry, LogFilter, ProvisioningLog, ProvisioningLogQueries } from './provisioning-log.ts';

/** Events of this service for the graph's subscribers. */
export const liveEvents = liveOutbox('provisioning');

const insertEntries = statement({
  name: 'provisioningLog.insert',
  reason: 'hot path',
  text: `WITH logged AS (
           INSERT INTO provisioning.provisioning_log
             (tenant, id, source, actor_kind, actor_id, at, method, resource_type, resource_id, status, scim_type, detail,
              request_id, duration_ms)
           SELECT * FROM unnest($tenants::text[], $ids::uuid[], $sources::text[], $actorKinds::text[], $actorIds::text[],
             $times::timestamptz[], $methods::text[], $resourceTypes::text[], $resourceIds::text[], $statuses::int[],
             $scimTypes::text[], $details::text[], $requestIds::text[], $durationsMs::float8[])
           ON CONFLICT DO NOTHING
           RETURNING tenant, id, source, at, resource_type, resource_id, status)
         INSERT INTO provisioning.live_events (id, tenant, type, subject, occurred_at, data)
         SELECT id, tenant, 'provisioning.activity', id, at, jsonb_strip_nulls(jsonb_build_object(
           'source', source, 'resourceType', resource_type, 'resourceId', resource_id, 'status', status))
         FROM logged ON CONFLICT DO NOTHING`,
  parameters: {
    tenants: 'text[]',
    ids: 'uuid[]',
    sources: 'text[]',
    actorKinds: 'text[]',
    actorIds: 'text[]',
    times: 'timestamptz[]',
    methods: 'text[]',
    resourceTypes: 'text[]',
    resourceIds: 'text[]',
    statuses: 'int4[]',
    scimTypes: 'text[]',
    details: 'text[]',
    requestIds: 'text[]',
    durationsMs: 'float8[]',
  },
});

/** Writes entries with their events for subscribers, in one statement. */
export async function insertLog(sql: Sql, entries: readonly LogEntry[]): Promise<void> {
  const all = <K extends keyof LogEntry>(name: K): LogEntry[K][] => entries.map((entry) => entry[name]);
  await insertEntries.run(sql, {
    tenants: all('tenant'),
    ids: all('id'),
    sources: all('source'),
    actorKinds: all('actorKind'),
    actorIds: all('actorId'),
    times: all('at'),
    methods: all('method'),
    resourceTypes: all('resourceType'),
    resourceIds: all('resourceId'),
    statuses: all('status'),
    scimTypes: all('scimType'),
    details: all('detail'),
    requestIds: all('requestId'),
    durationsMs: all('durationMs'),
  });
}

/** A period also narrows the id, which has an index. */
function matching(tenant: string, filter: LogFilter): Prisma.ProvisioningLogEntryWhereInput {
  const { source, resourceId, resourceType, statuses, since, until } = filter;
  return {
    tenant,
    ...(source !== undefined && { source }),
    ...(resourceId !== undefined && { resourceId }),
    ...(resourceType !== undefined && { resourceType }),
    ...(statuses !== undefined && { status: { gte: statuses[0], lte: statuses[1] } }),
    AND: [
      ...(since ? [{ at: { gte: since }, id: { gte: minUuidv7(since.getTime()) } }] : []),
      ...(until ? [{ at: { lt: until } }] : []),
    ],
  };
}

/** Returns entries of a tenant, newest first. */
export async function readLog(
  sql: Connection,
  tenant: string,
  filter: LogFilter,
  page: IdPage,
): Promise<LogEntry[]> {
  const prisma = await sql.prisma();
  const { beyond, orderBy, take } = stretchOf(page, { newestFirst: true });
  return prisma.provisioningLogEntry.findMany({
    where: { ...matching(tenant, filter), ...beyond },
    orderBy,
    take,
  });
}

/** Maximum number of entries that a count examines. */
const countedAtMost = 20_000;

const countEntries = statement({
  name: 'provisioningLog.count',
  reason: 'set',
  text: `SELECT count(*)::int AS looked, count(*) FILTER (
                  WHERE place <= $most AND ($resourceId::text IS NULL OR resource_id = $resourceId)
                    AND ($resourceType::text IS NULL OR resource_type = $resourceType)
                    AND status BETWEEN $lowest AND $highest)::int AS total
           FROM (SELECT resource_id, resource_type, status, row_number() OVER (ORDER BY id DESC) AS place
                   FROM provisioning.provisioning_log
                  WHERE tenant = $tenant
                    AND ($source::text IS NULL OR source = $source)
                    AND ($since::timestamptz IS NULL OR (at >= $since AND id >= $sinceId))
                    AND ($until::timestamptz IS NULL OR at < $until)
                  ORDER BY id DESC LIMIT $most + 1) looked`,
  parameters: {
    tenant: 'text',
    source: 'text?',
    resourceId: 'text?',
    resourceType: 'text?',
    lowest: 'int4',
    highest: 'int4',
    since: 'timestamptz?',
    sinceId: 'uuid?',
    until: 'timestamptz?',
    most: 'int4',
  },
  columns: { looked: 'int4', total: 'int4' },
});

/**
 * Counts the matching entries among the newest `most` of the filter's source and period. The other conditions have no
 * index, so a rare match would require a scan of the whole log.
 */
export async function countLog(
  sql: Sql,
  tenant: string,
  filter: LogFilter,
  most = countedAtMost,
): Promise<BoundedCount> {
  const { source, resourceId, resourceType, since, until, statuses: [lowest, highest] = [0, 999] } = filter;
  const counted = await countEntries.first(sql, {
    tenant,
    source,
    resourceId,
    resourceType,
    lowest,
    highest,
    since,
    sinceId: since && minUuidv7(since.getTime()),
    until,
    most,
  });
  const { looked = 0, total = 0 } = counted ?? {};
  return { total, isExact: looked <= most };
}

/** Returns entries of a tenant by their ids. */
async function findLogEntries(sql: Connection, tenant: string, ids: readonly string[]): Promise<LogEntry[]> {
  const prisma = await sql.prisma();
  return prisma.provisioningLogEntry.findMany({ where: { tenant, id: { in: [...ids] } } });
}

const pruneByAge = statement({
  name: 'provisioningLog.pruneByAge',
  reason: 'set',
  text: `DELETE FROM provisioning.provisioning_log
          WHERE ctid IN (SELECT ctid FROM provisioning.provisioning_log
                          WHERE at < now() - make_interval(days => $days) LIMIT 5000)`,
  parameters: { days: 'int4' },
});

/** Removes entries older than `days`, at most 5000. @returns the number of removed entries */
export const pruneLogByAge = (sql: Sql, days: number): Promise<number> => pruneByAge.count(sql, { days });

const pruneByCount = statement({
  name: 'provisioningLog.pruneByCount',
  reason: 'set',
  text: `DELETE FROM provisioning.provisioning_log
          WHERE tenant = $tenant
            AND id <= (SELECT id FROM provisioning.provisioning_log
                        WHERE tenant = $tenant ORDER BY id DESC OFFSET $keep LIMIT 1)`,
  parameters: { tenant: 'text', keep: 'int8' },
});

/** Keeps the newest `keep` entries of a tenant. @returns the number of removed entries */
export const pruneLogByCount = (sql: Sql, tenant: string, keep: number): Promise<number> =>
  pruneByCount.count(sql, { tenant, keep });

const findTenants = statement({
  name: 'provisioningLog.tenants',
  reason: 'set',
  text: `WITH RECURSIVE t AS (
           (SELECT tenant FROM provisioning.provisioning_log ORDER BY tenant LIMIT 1)
           UNION ALL
           SELECT (SELECT l.tenant FROM provisioning.provisioning_log l WHERE l.tenant > t.tenant ORDER BY l.tenant LIMIT 1)
             FROM t WHERE t.tenant IS NOT NULL
         )
         SELECT tenant FROM t WHERE tenant IS NOT NULL`,
  columns: { tenant: 'text' },
});

/** Returns the tenants with entries, by skipping from one to the next in the primary key. */
export async function tenantsWithLog(sql: Sql): Promise<string[]> {
  return (await findTenants.rows(sql)).map(({ tenant }) => tenant);
}

export const provisioningLog: ProvisioningLog = { insert: insertLog };

/** @see ProvisioningLogQueries */
export const provisioningLogQueries = (replica: ReplicaReads<PrismaClient>): ProvisioningLogQueries => ({
  read: (primary: Connection, tenant, filter, page) =>
    replica.read('provisioning.provisioningLog.page', [tenant], primary, (sql) =>
      readLog(sql, tenant, filter, page),
    ),
  count: (primary: Connection, tenant, filter) =>
    replica.read('provisioning.provisioningLog.count', [tenant], primary, (sql) =>
      countLog(sql, tenant, filter),
    ),
  byIds: findLogEntries,
});
