import { type RowOf, type Sql, statement } from '@ostiary/database';
import type { TenantChanges } from '../domain/tenant-changes.ts';

/** Of these columns all but the tenant are of the moment of reading; without a change there is one row all the same. */
const readChanges = statement({
  name: 'memory.tenant-changes',
  reason: 'hot path',
  text: `SELECT position.*, changed.xid::text AS xid, changed.tenant
       FROM (SELECT (SELECT system_identifier FROM pg_control_system()) || '-' ||
                      (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint || '-' ||
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

/** How far it has been heard. */
interface Heard {
  /** Of which start of which server, in which database and which making of the table. */
  origin: string;
  /** The oldest transaction that was still open then: what it changes hasn't been heard, and may never have been heard of. */
  since: string;
}

/** Changes that are looked at one by one. Behind more than these, everything is taken to have changed. */
const mostChanges = 1_000;
/** Tenants of which it is remembered when they changed. */
const mostTenants = 50_000;
/** How long others wait for an answer that somebody asked for, in ms, before one of them asks too. */
const patienceMs = 100;
/** Behind every transaction. */
const never = (2n ** 63n - 1n).toString();
/** The tenant of a change that may be of any: the table was emptied. */
const anyTenant = '';

/**
 * Follows auth.tenant_changes, which triggers write in the transaction of each change, whoever makes it. Sequence numbers are given before
 * transactions commit, so a reading begins with the oldest transaction that was open at the one before: what it couldn't see is there or later. When that can't be
 * said (a server that was started anew, a restored database, rows that are pruned already), everything is taken to have changed.
 */
export class HeardTenantChanges implements TenantChanges {
  readonly #sql: Sql;
  readonly #clock: () => number;
  readonly #changedAt = new Map<string, number>();
  #everythingChangedAt = 0;
  #position = 0;
  #heardAt = Number.NEGATIVE_INFINITY;
  #heard: Heard | undefined;
  /** Changes of the last reading, which the next one may bring once more. */
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

  /** Who asks while an answer is on its way shares it, unless it is long in coming. */
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
    const rows = await readChanges.rows(this.#sql, { since: from?.since ?? never, limit: mostChanges + 1 });
    const [first] = rows;
    if (!first) throw new Error('the database did not say where it is');
    // Meanwhile another server answered, or this one anew: what was asked for is no continuation of what is known.
    if (from?.origin !== this.#heard?.origin) return;
    const heard = { origin: first.origin, since: first.xmin };
    if (from && continues(from, first) && rows.length <= mostChanges) this.#takeIn(rows);
    else this.#forgetAll();
    // An answer that was overtaken says nothing of what came after it.
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
    if (this.#changedAt.size > mostTenants) this.#forgetAll();
  }

  #forgetAll(): void {
    this.#position += 1;
    this.#everythingChangedAt = this.#position;
    this.#changedAt.clear();
    this.#known = new Set();
  }
}

/** Whether every change since then is still there to be read, or was read now. */
const continues = (from: Heard, { origin, xmin, oldest }: ChangeRow): boolean =>
  origin === from.origin &&
  BigInt(xmin) >= BigInt(from.since) &&
  oldest !== null &&
  BigInt(oldest) < BigInt(from.since);

/**
 * In the order of transactions, so that whoever finds an older one than they look for knows that none of theirs is gone: the newest of those
 * that are old enough stays, and whoever comes at the same time waits. Rows of a transaction that is yet to come were brought here by a dump.
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

/** Where there is none, as after a dump of another server was read in, nobody could tell that none is gone. */
const beginAgain = statement({
  name: 'memory.begin-tenant-changes',
  reason: 'atomic',
  text: `INSERT INTO auth.tenant_changes (tenant)
       SELECT '${anyTenant}' WHERE NOT EXISTS (
         SELECT 1 FROM auth.tenant_changes WHERE xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint)`,
});

/** Deletes changes that every process has heard of by now, or takes everything to have changed; returns how many. */
export async function pruneTenantChanges(sql: Sql, limit: number): Promise<number> {
  await beginAgain.run(sql);
  return prune.count(sql, { limit });
}
