import { type ReplicaReads, statement, stretchOf } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import {
  type BoundedCount,
  currentAddress,
  currentRequestId,
  currentTraceparent,
  currentUserAgent,
  type IdPage,
  minUuidv7,
  uuidv7,
} from '@ostiary/service';
import { type Connection, jsonOf, type Prisma, type PrismaClient } from '../../database/data/database.ts';
import type { ChangeRequest, Changes } from '../domain/connector-changes.ts';
import type {
  ConnectorLog,
  ConnectorLogEntry,
  ConnectorLogFilter,
  ConnectorLogQueries,
  RecordedChange,
} from '../domain/connector-log.ts';

/** Maximum number of entries that a count examines. */
const countedAtMost = 20_000;

/**
 * Maximum difference in milliseconds between the time in an entry's id and its `occurredAt`: they come from two
 * clocks.
 */
const clockSlackMs = 3_600_000;

/** Maximum length of a stored user agent in characters. */
const maxUserAgentLength = 256;

/** Records a change of the caller's transaction, with the audit context of the current request. */
async function record(
  tx: Connection,
  { tenant, actor, clientId }: ChangeRequest,
  { action, connectorId, connectorVersion, changes }: RecordedChange,
): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.connectorLogEntry.create({
    data: {
      tenant,
      id: uuidv7(),
      action,
      actor: jsonOf(actor),
      actorId: actor.id,
      connectorId,
      connectorVersion,
      changes: jsonOf(changes),
      clientId,
      ipAddress: currentAddress() ?? null,
      userAgent: currentUserAgent()?.replaceAll('\u0000', '').slice(0, maxUserAgentLength) ?? null,
      requestId: currentRequestId() ?? null,
      traceId: currentTraceparent()?.split('-')[1] ?? null,
    },
    select: { id: true },
  });
}

/** The fields of an entry, without its tenant. */
const shown = {
  id: true,
  occurredAt: true,
  action: true,
  actor: true,
  connectorId: true,
  connectorVersion: true,
  changes: true,
  clientId: true,
  ipAddress: true,
  userAgent: true,
  requestId: true,
  traceId: true,
} satisfies Prisma.ConnectorLogEntrySelect;

type Row = Prisma.ConnectorLogEntryGetPayload<{ select: typeof shown }>;

/** Only `record` writes entries. */
const entryOf = (row: Row): ConnectorLogEntry => ({
  ...row,
  actor: row.actor as unknown as Actor,
  changes: row.changes as unknown as Changes,
});

/** A period also narrows the id, which has an index. */
function matching(tenant: string, filter: ConnectorLogFilter): Prisma.ConnectorLogEntryWhereInput {
  const { since, until, connectorId, actorId, action, ipAddress, clientId, requestId, traceId } = filter;
  const given = { connectorId, actorId, action, ipAddress, clientId, requestId, traceId };
  return {
    tenant,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    AND: [
      ...(since
        ? [{ occurredAt: { gte: since }, id: { gte: minUuidv7(since.getTime() - clockSlackMs) } }]
        : []),
      ...(until
        ? [{ occurredAt: { lt: until }, id: { lt: minUuidv7(until.getTime() + clockSlackMs) } }]
        : []),
    ],
  };
}

/** Returns entries of a tenant, newest first. */
async function read(
  sql: Connection,
  tenant: string,
  filter: ConnectorLogFilter,
  page: IdPage,
): Promise<ConnectorLogEntry[]> {
  const prisma = await sql.prisma();
  const { beyond, orderBy, take } = stretchOf(page, { newestFirst: true });
  const rows = await prisma.connectorLogEntry.findMany({
    where: { ...matching(tenant, filter), ...beyond },
    select: shown,
    orderBy,
    take,
  });
  return rows.map(entryOf);
}

/** Counts the matching entries. @param most maximum number of newest entries to examine */
export async function countConnectorLog(
  sql: Connection,
  tenant: string,
  filter: ConnectorLogFilter,
  most = countedAtMost,
): Promise<BoundedCount> {
  const prisma = await sql.prisma();
  const looked = await prisma.connectorLogEntry.count({
    where: matching(tenant, filter),
    orderBy: { id: 'desc' },
    take: most + 1,
  });
  return { total: Math.min(looked, most), isExact: looked <= most };
}

/** Returns entries of a tenant by their ids. */
async function byIds(sql: Connection, tenant: string, ids: readonly string[]): Promise<ConnectorLogEntry[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.connectorLogEntry.findMany({
    where: { tenant, id: { in: [...ids] } },
    select: shown,
  });
  return rows.map(entryOf);
}

const pruneEntries = statement({
  name: 'connectorLog.prune',
  reason: 'set',
  text: `DELETE FROM provisioning.connector_log
          WHERE ctid IN (SELECT ctid FROM provisioning.connector_log
                          WHERE occurred_at < now() - make_interval(days => $days::int) LIMIT 1000)`,
  parameters: { days: 'int4' },
});

/** Removes entries older than `days`, at most 1000. @returns the number of removed entries */
export const pruneConnectorLog = (sql: Connection, days: number): Promise<number> =>
  pruneEntries.count(sql, { days });

export const connectorLog: ConnectorLog = { record };

/** @see ConnectorLogQueries */
export const connectorLogQueries = (replica: ReplicaReads<PrismaClient>): ConnectorLogQueries => ({
  read: (primary: Connection, tenant, filter, page) =>
    replica.read('provisioning.connectorLog.page', [tenant], primary, (sql) =>
      read(sql, tenant, filter, page),
    ),
  count: (primary: Connection, tenant, filter) =>
    replica.read('provisioning.connectorLog.count', [tenant], primary, (sql) =>
      countConnectorLog(sql, tenant, filter),
    ),
  byIds,
});
