import {
  type Connected,
  composedStatement,
  primaryOnly,
  type ReplicaReads,
  type Sql,
  statement,
  stretchOf,
} from '@ostiary/database';
import type { Actor, ClausePlace, OutboxClause } from '@ostiary/events';
import { type BoundedCount, type IdPage, isUuid, uuidv7 } from '@ostiary/service';
import type { Prisma, PrismaClient } from '../../database/generated/client.ts';
import type {
  AuditAction,
  AuditEntry,
  AuditFilter,
  AuditTrail,
  Changes,
  NewAuditEntry,
} from '../domain/audit-log.ts';
import { asSql, asWhere, auditConditions } from './audit-conditions.ts';

/** Maximum number of entries that a count examines. */
const countedAtMost = 20_000;

/** Maximum length of a stored user agent in characters. */
const maxUserAgentLength = 256;

const storable = (text: string): string => text.replaceAll('\u0000', '').slice(0, maxUserAgentLength);

/**
 * Returns a common table expression that adds entries, for the statement of the change.
 * @param place number of its first parameter, and an expression that must have rows for the entries to be added
 */
export function entryClause(
  tenant: string,
  entries: readonly NewAuditEntry[],
  place: ClausePlace,
): OutboxClause {
  const rows = entries.map((entry) => ({
    id: uuidv7(),
    occurred_at: entry.occurredAt.toISOString(),
    actor: entry.actor,
    action: entry.action,
    resource_type: entry.resourceType,
    resource_id: entry.resourceId,
    resource_version: entry.resourceVersion,
    source: entry.source ?? null,
    changes: entry.changes,
    trace_id: entry.traceId ?? null,
    address: entry.address ?? null,
    client_id: entry.clientId ?? null,
    user_agent: entry.userAgent === undefined ? null : storable(entry.userAgent),
    request_id: entry.requestId ?? null,
  }));
  const first = place.firstParameter;
  return {
    text: `audit_entry AS (
        INSERT INTO directory.audit_log (tenant, id, occurred_at, actor, actor_id, action, resource_type, resource_id,
          resource_version, source, changes, trace_id, address, client_id, user_agent, request_id)
        SELECT $${first}::text, e.id, e.occurred_at, e.actor, e.actor ->> 'id', e.action, e.resource_type, e.resource_id,
          e.resource_version, e.source, e.changes, e.trace_id, e.address, e.client_id, e.user_agent, e.request_id
        FROM jsonb_to_recordset($${first + 1}::jsonb) AS e(id uuid, occurred_at timestamptz, actor jsonb, action text,
          resource_type text, resource_id text, resource_version bigint, source text, changes jsonb, trace_id text,
          address text, client_id text, user_agent text, request_id text)
        ${place.onlyIf === undefined ? '' : `WHERE EXISTS (SELECT FROM ${place.onlyIf})`})`,
    values: [tenant, JSON.stringify(rows)],
  };
}

const appendEntries = composedStatement({
  name: 'audit.append',
  reason: 'set',
  columns: {},
  compose: ({ tenant, entries }: { tenant: string; entries: readonly NewAuditEntry[] }) => {
    const { text, values } = entryClause(tenant, entries, { firstParameter: 1 });
    return { text: `WITH ${text} SELECT`, values };
  },
  examples: () => [{ tenant: 'demo', entries: [] }],
});

/** The limit is part of the text, where the planner sees it. */
const countEntries = composedStatement({
  name: 'audit.count',
  reason: 'set',
  columns: { looked: 'int4', total: 'int4' },
  compose: ({ tenant, filter, most }: { tenant: string; filter: AuditFilter; most: number }) => {
    const { found, rest, values } = asSql(auditConditions(tenant, filter));
    return {
      text: `SELECT count(*)::int4 AS looked, (count(*) FILTER (WHERE matches))::int4 AS total
       FROM (SELECT (${rest}) AS matches FROM directory.audit_log WHERE ${found} ORDER BY id DESC LIMIT ${Math.trunc(most) + 1}) looked`,
      values,
    };
  },
  examples: () => [{}, everythingAsked].map((filter) => ({ tenant: 'demo', filter, most: countedAtMost })),
});

/** A filter with every condition. */
const everythingAsked: Required<AuditFilter> = {
  resourceId: 'ada',
  resourceType: 'User',
  actorId: 'app',
  actorKind: 'client',
  onBehalfOf: 'ada',
  action: 'user.updated',
  source: 'hr',
  traceId: 'trace',
  ipAddress: '192.0.2.1',
  address: '192.0.2.1',
  clientId: 'app',
  requestId: 'request',
  since: new Date(0),
  until: new Date(0),
};

/** The audit log of one tenant. Entries are never changed. */
export class AuditLog implements AuditTrail {
  readonly #sql: Connected<PrismaClient>;
  readonly #replica: ReplicaReads<PrismaClient>;
  readonly #tenant: string;

  /** @param replica for reads that only show the log */
  constructor(
    sql: Connected<PrismaClient>,
    tenant: string,
    replica: ReplicaReads<PrismaClient> = primaryOnly(),
  ) {
    this.#sql = sql;
    this.#tenant = tenant;
    this.#replica = replica;
  }

  /** Adds entries in one statement, within the transaction of the change. */
  async append(entries: readonly NewAuditEntry[]): Promise<void> {
    if (entries.length > 0) await appendEntries.run(this.#sql, { tenant: this.#tenant, entries });
  }

  /** Returns a page of the log, newest first, at most one second old. */
  page(filter: AuditFilter, page: IdPage): Promise<AuditEntry[]> {
    const { beyond, ...stretch } = stretchOf(page, { newestFirst: true });
    return this.#replica.read('directory.auditLog.page', [this.#tenant], this.#sql, async (sql) => {
      const prisma = await sql.prisma();
      const rows = await prisma.auditEntry.findMany({
        where: { AND: [asWhere(auditConditions(this.#tenant, filter)), beyond] },
        ...stretch,
      });
      return rows.map(toEntry);
    });
  }

  /** Returns the existing entries of these ids. */
  async findMany(ids: readonly string[]): Promise<AuditEntry[]> {
    const possible = ids.filter(isUuid);
    if (possible.length === 0) return [];
    const prisma = await this.#sql.prisma();
    const rows = await prisma.auditEntry.findMany({ where: { tenant: this.#tenant, id: { in: possible } } });
    return rows.map(toEntry);
  }

  /** Counts the matching entries. @param most maximum number of newest entries to examine */
  async count(filter: AuditFilter, most = countedAtMost): Promise<BoundedCount> {
    const tenant = this.#tenant;
    const counted = await this.#replica.read('directory.auditLog.count', [tenant], this.#sql, (sql) =>
      countEntries.first(sql, { tenant, filter, most }),
    );
    const { looked, total } = counted ?? { looked: 0, total: 0 };
    return { total: Math.min(total, most), isExact: looked <= most };
  }
}

const toEntry = (row: Prisma.AuditEntryModel): AuditEntry => ({
  id: row.id,
  occurredAt: row.occurredAt,
  actor: row.actor as unknown as Actor,
  action: row.action as AuditAction,
  resourceType: row.resourceType,
  resourceId: row.resourceId,
  resourceVersion: Number(row.resourceVersion),
  ...(row.source !== null && { source: row.source }),
  changes: row.changes as unknown as Changes,
  ...(row.traceId !== null && { traceId: row.traceId }),
  ...(row.address !== null && { address: row.address }),
  ...(row.clientId !== null && { clientId: row.clientId }),
  ...(row.userAgent !== null && { userAgent: row.userAgent }),
  ...(row.requestId !== null && { requestId: row.requestId }),
});

/** Maximum number of entries of each tenant that one round of pruning deletes. */
const prunedPerBatch = 5_000;

const pruneEntries = statement({
  name: 'audit.prune',
  reason: 'set',
  text: `WITH old AS (
       SELECT e.tenant, e.id FROM directory.tenants t CROSS JOIN LATERAL (
         SELECT a.tenant, a.id FROM directory.audit_log a
         WHERE a.tenant = t.id
           AND a.id < (lpad(to_hex((extract(epoch FROM $now::timestamptz - make_interval(days => t.audit_retention_days)) * 1000)::bigint),
                            12, '0') || '00000000000000000000')::uuid
         ORDER BY a.id LIMIT $most
       ) e WHERE t.audit_retention_days IS NOT NULL
     ) DELETE FROM directory.audit_log a USING old WHERE a.tenant = old.tenant AND a.id = old.id`,
  parameters: { now: 'timestamptz', most: 'int8' },
});

/**
 * Deletes entries older than their tenant's retention, a bounded number of each. Ids begin with their time, so the
 * oldest entries come first in the tenant's range of the index.
 * @returns the number of deleted entries
 */
export const pruneAudit = (sql: Sql, now: Date, most = prunedPerBatch): Promise<number> =>
  pruneEntries.count(sql, { now, most });
