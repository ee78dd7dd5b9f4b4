import type { Sql } from '@ostiary/database';
import type { Actor, ClausePlace, OutboxClause } from '@ostiary/events';
import { uuidv7 } from '@ostiary/service';

/** Before and after of each attribute that changed. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>;

/** One change as it is remembered: who did what to which resource. */
export interface AuditEntry {
  id: string;
  occurredAt: Date;
  actor: Actor;
  /** The event's type, for instance `user.updated`. */
  action: string;
  resourceType: string;
  resourceId: string;
  resourceVersion: number;
  /** The identity source it came through, if any. */
  source?: string;
  changes: Changes;
  traceId?: string;
  /** Of the client that asked for it. */
  address?: string;
}

export type NewAuditEntry = Omit<AuditEntry, 'id'>;

/** Narrows the log; what is left out doesn't narrow. */
export interface AuditFilter {
  resourceId?: string;
  resourceType?: string;
  actorId?: string;
  actorKind?: Actor['kind'];
  onBehalfOf?: string;
  action?: string;
  /** The identity source it came through. */
  source?: string;
  traceId?: string;
  address?: string;
  since?: Date;
  until?: Date;
}

interface AuditRow {
  id: string;
  occurred_at: Date;
  actor: Actor;
  action: string;
  resource_type: string;
  resource_id: string;
  resource_version: number;
  source: string | null;
  changes: Changes;
  trace_id: string | null;
  address: string | null;
}

const columns =
  'id, occurred_at, actor, action, resource_type, resource_id, resource_version, source, changes, trace_id, address';

/** The audit log of one tenant. Entries are only ever added. */
export class AuditLog {
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
    }));
    const first = place.firstParameter;
    return {
      text: `audit_entry AS (
        INSERT INTO directory.audit_log (tenant, id, occurred_at, actor, actor_id, action, resource_type, resource_id,
          resource_version, source, changes, trace_id, address)
        SELECT $${first}::text, e.id, e.occurred_at, e.actor, e.actor ->> 'id', e.action, e.resource_type, e.resource_id,
          e.resource_version, e.source, e.changes, e.trace_id, e.address
        FROM jsonb_to_recordset($${first + 1}::jsonb) AS e(id uuid, occurred_at timestamptz, actor jsonb, action text,
          resource_type text, resource_id text, resource_version bigint, source text, changes jsonb, trace_id text,
          address text)
        ${place.onlyIf === undefined ? '' : `WHERE EXISTS (SELECT FROM ${place.onlyIf})`})`,
      values: [this.#tenant, JSON.stringify(rows)],
    };
  }

  /** Entries, newest first. @param page how many, and the id before which to go on */
  async page(filter: AuditFilter, page: { before?: string; limit: number }): Promise<AuditEntry[]> {
    const where = this.#where(filter);
    if (page.before !== undefined) where.add('id <', page.before, 'uuid');
    const { rows } = await this.#sql.query<AuditRow>(
      `SELECT ${columns} FROM directory.audit_log WHERE ${where.text} ORDER BY id DESC LIMIT ${Math.trunc(page.limit)}`,
      where.values,
    );
    return rows.map(toEntry);
  }

  /** @param id canonical UUID */
  async find(id: string): Promise<AuditEntry | undefined> {
    const { rows } = await this.#sql.query<AuditRow>(
      `SELECT ${columns} FROM directory.audit_log WHERE tenant = $1 AND id = $2`,
      [this.#tenant, id],
    );
    return rows[0] && toEntry(rows[0]);
  }

  async count(filter: AuditFilter): Promise<number> {
    const where = this.#where(filter);
    const { rows } = await this.#sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM directory.audit_log WHERE ${where.text}`,
      where.values,
    );
    return rows[0]?.total ?? 0;
  }

  #where(filter: AuditFilter): Conditions {
    const where = new Conditions();
    where.add('tenant =', this.#tenant, 'text');
    if (filter.resourceId !== undefined) where.add('resource_id =', filter.resourceId, 'text');
    if (filter.actorId !== undefined) where.add('actor_id =', filter.actorId, 'text');
    if (filter.action !== undefined) where.add('action =', filter.action, 'text');
    if (filter.resourceType !== undefined) where.add('resource_type =', filter.resourceType, 'text');
    if (filter.actorKind !== undefined) where.add("actor ->> 'kind' =", filter.actorKind, 'text');
    if (filter.onBehalfOf !== undefined) where.add("actor ->> 'onBehalfOf' =", filter.onBehalfOf, 'text');
    if (filter.source !== undefined) where.add('source =', filter.source, 'text');
    if (filter.traceId !== undefined) where.add('trace_id =', filter.traceId, 'text');
    if (filter.address !== undefined) where.add('address =', filter.address, 'text');
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
  readonly #terms: string[] = [];

  add(comparison: string, value: unknown, type: string): void {
    this.values.push(value);
    this.#terms.push(`${comparison} $${this.values.length}::${type}`);
  }

  get text(): string {
    return this.#terms.join(' AND ');
  }
}
