import type { Sql } from '@ostiary/database';
import type { DailyTotals, StatisticsStore, Totals } from '../domain/statistics.ts';

const names: Record<string, keyof Totals> = {
  User: 'people',
  InactiveUser: 'inactive',
  DeletedUser: 'deleted',
  Group: 'groups',
  Membership: 'memberships',
};

/** How many of what tenants have: from counters that the writers keep, so that it costs the same for a million users. */
export class Statistics implements StatisticsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** As of now, of each of these tenants. */
  async totals(tenants: readonly string[]): Promise<Map<string, Totals>> {
    const { rows } = await this.#sql.query<{ tenant: string; counted: string; total: number }>(
      `SELECT tenant, resource_type AS counted, sum(total)::bigint AS total FROM directory.resource_counts
       WHERE tenant = ANY($1::text[]) GROUP BY 1, 2`,
      [[...tenants]],
    );
    const byTenant = Map.groupBy(rows, (row) => row.tenant);
    return new Map(tenants.map((tenant) => [tenant, totalsOf(byTenant.get(tenant) ?? [])]));
  }

  /** At the ends of days, in their order, from one day to another; days on which nothing was noted are left out. */
  async daily(tenants: readonly string[], from: string, to: string): Promise<Map<string, DailyTotals[]>> {
    const { rows } = await this.#sql.query<{ tenant: string; day: string; counted: string; total: number }>(
      `SELECT tenant, day::text AS day, counted, total FROM directory.daily_totals
       WHERE tenant = ANY($1::text[]) AND day BETWEEN $2::date AND $3::date ORDER BY tenant, day`,
      [[...tenants], from, to],
    );
    const byTenant = Map.groupBy(rows, (row) => row.tenant);
    const days = (tenant: string) => [...Map.groupBy(byTenant.get(tenant) ?? [], (row) => row.day)];
    return new Map(
      tenants.map((tenant) => [tenant, days(tenant).map(([day, ofDay]) => ({ day, ...totalsOf(ofDay) }))]),
    );
  }

  /** The first one to note a day's totals counts. */
  async note(day: string): Promise<void> {
    await this.#sql.query(
      `INSERT INTO directory.daily_totals (tenant, day, counted, total)
       SELECT tenant, $1::date, resource_type, sum(total) FROM directory.resource_counts
       WHERE NOT EXISTS (SELECT FROM directory.daily_totals WHERE day = $1::date)
       GROUP BY tenant, resource_type ON CONFLICT DO NOTHING`,
      [day],
    );
  }
}

function totalsOf(rows: readonly { counted: string; total: number }[]): Totals {
  const totals: Totals = { people: 0, inactive: 0, deleted: 0, groups: 0, memberships: 0 };
  for (const { counted, total } of rows) {
    const name = names[counted];
    if (name) totals[name] = Number(total);
  }
  return totals;
}
