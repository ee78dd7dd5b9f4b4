import { type RowOf, type Sql, statement } from '@ostiary/database';
import { clusterId } from '../database/data/cluster-id.ts';
import type { TenantChanges } from './domain/tenant-changes.ts';

/**
 * All columns except the tenant are of the moment of reading. Without a change the statement still returns one row.
 */
const readChanges = statement({
  name: 'memory.tenant-changes',
  reason: 'hot path',
  text: `SELECT position.*, changed.xid::text AS xid, changed.tenant
       FROM (SELECT ${clusterId} || '-' ||
                      (SELECT oid FROM pg_database WHERE datname = current_database()) || '-' ||
                      to_regclass('auth.tenant_changes')::oid AS origin,
                    pg_snapshot_xmin(pg_current_snapshot())::text AS xmin,
                    (SELECT min(xid) FROM auth.tenant_changes
                      WHERE xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint)::text AS oldest) position
       LEFT JOIN (SELECT xid, tenant FROM auth.tenant_changes
                   WHERE xid >= $since AND xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
                   ORDER BY xid, tenant LIMIT $limit) changed ON true`,
  parameters: { since: 'int8', limit: 'int8' },
  columns: { origin: 'text', xmin: 'text', oldest: 'text?', xid: 'text?', tenant: 'text?' },
});

type ChangeRow = RowOf<typeof readChanges.columns>;

/** Position of the last reading. */
interface Heard {
  /** Identifies the start of the server, the database and the creation of the table. */
  origin: string;
  /**
   * Oldest transaction that was open at the reading. Its changes, and those of later ones, may not have been visible.
   */
  since: string;
}

/** Maximum number of changes that are applied one by one. With more, every tenant is treated as changed. */
const maxChanges = 1_000;
/** Maximum number of tenants whose last change is stored. */
const maxTenants = 50_000;
/** Time in milliseconds for which callers share a running query before one of them starts another. */
const patienceMs = 100;
/** Greater than every transaction id. */
const never = (2n ** 63n - 1n).toString();
/** Tenant of a change that concerns all tenants: the table was truncated. */
const anyTenant = '';

/**
 * Follows auth.tenant_changes, which triggers write in the transaction of each change. Sequence numbers are assigned
 * before transactions commit, so a reading begins with the oldest transaction that was open at the previous one and
 * finds everything that was not visible then. If that is not possible (restarted server, restored database, pruned
 * rows), every tenant is treated as changed.
 */
export class HeardTenantChanges implements TenantChanges {
  readonly #sql: Sql;
  readonly #clock: () => number;
  readonly #changedAt = new Map<string, number>();
  #everythingChangedAt = 0;
  #position = 0;
  #heardAt = Number.NEGATIVE_INFINITY;
  #heard: Heard | undefined;
  /** Changes of the last reading, which the next one may return again. */
  #known: ReadonlySet<string> = new Set();
  #asked = 0;
  #lastAnswered = 0;
  #asking: { since: number; answer: Promise<void> } | undefined;

  constructor({ sql, clock }: { sql: Sql; clock: () => number }) {
    this.#sql = sql;
    this.#clock = clock;
  }

  get position(): number {
    return this.#position;
  }

  get heardAt(): number {
    return this.#heardAt;
  }

  hasChanged(tenant: string, position: number): boolean {
    return Math.max(this.#everythingChangedAt, this.#changedAt.get(tenant) ?? 0) > position;
  }

  /** Callers share a running query for up to 100 ms. */
  hear(): Promise<void> {
    const now = performance.now();
    if (this.#asking && now - this.#asking.since < patienceMs) return this.#asking.answer;
    const answer = this.#ask().finally(() => {
      if (this.#asking?.answer === answer) this.#asking = undefined;
    });
    this.#asking = { since: now, answer };
    return answer;
  }

  async #ask(): Promise<void> {
    this.#asked += 1;
    const [number, askedAt, from] = [this.#asked, this.#clock(), this.#heard];
    const rows = await readChanges.rows(this.#sql, { since: from?.since ?? never, limit: maxChanges + 1 });
    const [first] = rows;
    if (!first) throw new Error('the database returned no position');
    // In the meantime another reading has returned a new origin, so this one is not a continuation.
    if (from?.origin !== this.#heard?.origin) return;
    const heard = { origin: first.origin, since: first.xmin };
    if (from && continues(from, first) && rows.length <= maxChanges) this.#takeIn(rows);
    else this.#forgetAll();
    // An overtaken reading has no newer position.
    if (number < this.#lastAnswered && heard.origin === this.#heard?.origin) return;
    this.#heard = heard;
    this.#lastAnswered = number;
    this.#heardAt = askedAt;
  }

  #takeIn(rows: readonly ChangeRow[]): void {
    const known = new Set<string>();
    const position = this.#position + 1;
    for (const { xid, tenant } of rows) {
      if (xid === null || tenant === null) continue;
      const change = `${xid}/${tenant}`;
      known.add(change);
      if (this.#known.has(change)) continue;
      this.#position = position;
      if (tenant === anyTenant) this.#everythingChangedAt = position;
      else this.#changedAt.set(tenant, position);
    }
    this.#known = known;
    if (this.#changedAt.size > maxTenants) this.#forgetAll();
  }

  #forgetAll(): void {
    this.#position += 1;
    this.#everythingChangedAt = this.#position;
    this.#changedAt.clear();
    this.#known = new Set();
  }
}

/** Reports whether all changes since the position are still stored or were read now. */
const continues = (from: Heard, { origin, xmin, oldest }: ChangeRow): boolean =>
  origin === from.origin &&
  BigInt(xmin) >= BigInt(from.since) &&
  oldest !== null &&
  BigInt(oldest) < BigInt(from.since);

/**
 * Deletes in the order of transactions: a reader that finds a transaction older than its position knows that no later
 * row is deleted. So the newest of the expired rows stays, and simultaneous prunes wait. Rows with a future
 * transaction id come from a dump.
 */
const prune = statement({
  name: 'memory.prune-tenant-changes',
  reason: 'set',
  text: `DELETE FROM auth.tenant_changes WHERE (xid, tenant) IN (
       SELECT xid, tenant FROM auth.tenant_changes
        WHERE xid < (SELECT max(xid) FROM auth.tenant_changes
                      WHERE changed_at < now() - interval '1 hour' AND xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
           OR xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
        ORDER BY xid, tenant LIMIT $limit FOR UPDATE)`,
  parameters: { limit: 'int8' },
});

/** An empty table, as after the restore of a dump from another server, would not prove that no row is deleted. */
const beginAgain = statement({
  name: 'memory.begin-tenant-changes',
  reason: 'atomic',
  text: `INSERT INTO auth.tenant_changes (tenant)
       SELECT '${anyTenant}' WHERE NOT EXISTS (
         SELECT 1 FROM auth.tenant_changes WHERE xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`,
});

/**
 * Deletes changes older than an hour, which every process has read; a later process treats every tenant as changed.
 * Returns the number of deleted rows.
 */
export async function pruneTenantChanges(sql: Sql, limit: number): Promise<number> {
  await beginAgain.run(sql);
  return prune.count(sql, { limit });
}
