import { type Sql, wayOf } from '@ostiary/database';
import type { Actor, ClausePlace, OutboxClause } from '@ostiary/events';
import { type IdPage, leastUuidv7, uuidv7 } from '@ostiary/service';
import type {
  AuditAction,
  AuditEntry,
  AuditFilter,
  AuditTrail,
  Changes,
  Counted,
  NewAuditEntry,
} from '../domain/audit-log.ts';

/** Entries that are looked at to count. */
const countedAtMost = 20_000;

/** By how much the time in an entry's id may differ from when it says it was. */
const clockSlackMs = 3_600_000;

interface AuditRow {
  id: string;
  occurred_at: Date;
  actor: Actor;
  action: AuditAction;
  resource_type: string;
  resource_id: string;
  resource_version: number;
  source: string | null;
  changes: Changes;
  trace_id: string | null;
  address: string | null;
  client_id: string | null;
  user_agent: string | null;
  request_id: string | null;
}

/** Longest user agent that is kept. */
const longestUserAgent = 256;

const storable = (text: string): string => text.replaceAll('\u0000', '').slice(0, longestUserAgent);

const columns = `id, occurred_at, actor, action, resource_type, resource_id, resource_version, source, changes, trace_id,
  address, client_id, user_agent, request_id`;

/** The audit log of one tenant. Entries are only ever added. */
export class AuditLog implements AuditTrail {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** Adds entries in one statement; call it in the transaction of the change. */
  async append(entries: readonly NewAuditEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const { text, values } = this.clause(entries, { firstParameter: 1 });
    await this.#sql.query(`WITH ${text} SELECT`, values);
  }

  /**
   * Adds entries, as a common table expression of the statement that makes the change.
   * @param place its first parameter, and an expression without whose rows nothing is added
   */
  clause(entries: readonly NewAuditEntry[], place: ClausePlace): OutboxClause {
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
      values: [this.#tenant, JSON.stringify(rows)],
    };
  }

  /** A stretch of the log, which is newest first. */
  async page(filter: AuditFilter, page: IdPage): Promise<AuditEntry[]> {
    const where = this.#where(filter);
    const { beyond, order } = wayOf(page, { newestFirst: true });
    if (page.position !== undefined) where.find(`id ${beyond}`, page.position, 'uuid');
    const { rows } = await this.#sql.query<AuditRow>(
      `SELECT ${columns} FROM directory.audit_log WHERE ${where.text} ORDER BY id ${order} LIMIT ${Math.trunc(page.limit)}`,
      where.values,
    );
    return rows.map(toEntry);
  }

  /** Those of the ids that there are. @param ids canonical UUIDs */
  async findMany(ids: readonly string[]): Promise<AuditEntry[]> {
    const { rows } = await this.#sql.query<AuditRow>(
      `SELECT ${columns} FROM directory.audit_log WHERE tenant = $1 AND id = ANY($2::uuid[])`,
      [this.#tenant, ids],
    );
    return rows.map(toEntry);
  }

  /** How many entries there are, as far as they are counted. @param most how many, the newest ones, are looked at */
  async count(filter: AuditFilter, most = countedAtMost): Promise<Counted> {
    const where = this.#where(filter);
    const { rows } = await this.#sql.query<{ looked: number; total: number }>(
      `SELECT count(*)::int AS looked, (count(*) FILTER (WHERE matches))::int AS total
       FROM (SELECT (${where.rest}) AS matches FROM directory.audit_log WHERE ${where.found} ORDER BY id DESC LIMIT ${most + 1}) looked`,
      where.values,
    );
    const { looked, total } = rows[0] ?? { looked: 0, total: 0 };
    return { total: Math.min(total, most), isExact: looked <= most };
  }

  #where(filter: AuditFilter): Conditions {
    const where = new Conditions();
    where.find('tenant =', this.#tenant, 'text');
    if (filter.resourceId !== undefined) where.find('resource_id =', filter.resourceId, 'text');
    if (filter.actorId !== undefined) where.find('actor_id =', filter.actorId, 'text');
    if (filter.ipAddress !== undefined) where.find('address =', filter.ipAddress, 'text');
    if (filter.address !== undefined) where.find('address =', filter.address, 'text');
    if (filter.clientId !== undefined) where.find('client_id =', filter.clientId, 'text');
    if (filter.requestId !== undefined) where.find('request_id =', filter.requestId, 'text');
    if (filter.traceId !== undefined) where.find('trace_id =', filter.traceId, 'text');
    // An entry's id is made with it, so the primary key leads to a time; not to the millisecond, for clocks get corrected.
    if (filter.since) where.find('id >=', leastUuidv7(filter.since.getTime() - clockSlackMs), 'uuid');
    if (filter.until) where.find('id <', leastUuidv7(filter.until.getTime() + clockSlackMs), 'uuid');
    if (filter.action !== undefined) where.add('action =', filter.action, 'text');
    if (filter.resourceType !== undefined) where.add('resource_type =', filter.resourceType, 'text');
    if (filter.actorKind !== undefined) where.add("actor ->> 'kind' =", filter.actorKind, 'text');
    if (filter.onBehalfOf !== undefined) where.add("actor ->> 'onBehalfOf' =", filter.onBehalfOf, 'text');
    if (filter.source !== undefined) where.add('source =', filter.source, 'text');
    if (filter.since) where.add('occurred_at >=', filter.since, 'timestamptz');
    if (filter.until) where.add('occurred_at <', filter.until, 'timestamptz');
    return where;
  }
}

const toEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  occurredAt: row.occurred_at,
  actor: row.actor,
  action: row.action,
  resourceType: row.resource_type,
  resourceId: row.resource_id,
  resourceVersion: Number(row.resource_version),
  ...(row.source !== null && { source: row.source }),
  changes: row.changes,
  ...(row.trace_id !== null && { traceId: row.trace_id }),
  ...(row.address !== null && { address: row.address }),
  ...(row.client_id !== null && { clientId: row.client_id }),
  ...(row.user_agent !== null && { userAgent: row.user_agent }),
  ...(row.request_id !== null && { requestId: row.request_id }),
});

/** Entries that one round of pruning takes away at most, of each tenant; the next round goes on. */
const prunedAtOnce = 5_000;

/**
 * Takes away entries that are older than their tenant keeps them, a bounded number of each: their ids begin with the time they
 * were made, so they are the first ones of the tenant's stretch of the index.
 * @returns how many
 */
export async function pruneAudit(sql: Sql, now: Date, most = prunedAtOnce): Promise<number> {
  const { rowCount } = await sql.query(
    `WITH old AS (
       SELECT e.tenant, e.id FROM directory.tenants t CROSS JOIN LATERAL (
         SELECT a.tenant, a.id FROM directory.audit_log a
         WHERE a.tenant = t.id
           AND a.id < (lpad(to_hex((extract(epoch FROM $1::timestamptz - make_interval(days => t.audit_retention_days)) * 1000)::bigint),
                            12, '0') || '00000000000000000000')::uuid
         ORDER BY a.id LIMIT $2
       ) e WHERE t.audit_retention_days IS NOT NULL
     ) DELETE FROM directory.audit_log a USING old WHERE a.tenant = old.tenant AND a.id = old.id`,
    [now, most],
  );
  return rowCount;
}

/** Comparisons joined by AND; the left sides are ours, the right sides always parameters. */
class Conditions {
  readonly values: unknown[] = [];
  readonly #found: string[] = [];
  readonly #rest: string[] = [];

  /** One by which an index leads to entries. */
  find(comparison: string, value: unknown, type: string): void {
    this.#found.push(this.#term(comparison, value, type));
  }

  /** One that entries are compared with once they are found. */
  add(comparison: string, value: unknown, type: string): void {
    this.#rest.push(this.#term(comparison, value, type));
  }

  get found(): string {
    return this.#found.join(' AND ');
  }

  get rest(): string {
    return this.#rest.length === 0 ? 'true' : this.#rest.join(' AND ');
  }

  get text(): string {
    return `${this.found} AND ${this.rest}`;
  }

  #term(comparison: string, value: unknown, type: string): string {
    this.values.push(value);
    return `${comparison} $${this.values.length}::${type}`;
  }
}
