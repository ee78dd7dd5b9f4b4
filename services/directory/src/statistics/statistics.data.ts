import { platformTenant } from '@ostiary/access';
import { type Connected, primaryOnly, type ReplicaReads, statement, typed } from '@ostiary/database';
import type { PrismaClient } from '../database/generated/client.ts';
import type { DailyTotals, StatisticsStore, Totals } from './statistics.ts';

const names: Record<string, keyof Totals> = {
  User: 'people',
  InactiveUser: 'inactive',
  DeletedUser: 'deleted',
  Group: 'groups',
  Membership: 'memberships',
};

const sumTotals = statement({
  name: 'statistics.totals',
  reason: 'set',
  text: `SELECT tenant, resource_type AS counted, sum(total)::int8 AS total FROM directory.resource_counts
          WHERE tenant = ANY($tenants::text[]) GROUP BY 1, 2`,
  parameters: { tenants: 'text[]' },
  columns: { tenant: 'text', counted: 'text', total: typed<number>('int8') },
});

const noteTotals = statement({
  name: 'statistics.note',
  reason: 'set',
  text: `INSERT INTO directory.daily_totals (tenant, day, counted, total)
         SELECT tenant, $day::date, resource_type, sum(total) FROM directory.resource_counts
         WHERE NOT EXISTS (SELECT FROM directory.daily_totals WHERE day = $day::date)
         GROUP BY tenant, resource_type ON CONFLICT DO NOTHING`,
  parameters: { day: 'date' },
});

/**
 * Totals of tenants, from counters that the writers maintain, so that the cost does not grow with the number of
 * users.
 */
export class Statistics implements StatisticsStore {
  readonly #sql: Connected<PrismaClient>;
  readonly #replica: ReplicaReads<PrismaClient>;

  constructor(sql: Connected<PrismaClient>, replica: ReplicaReads<PrismaClient> = primaryOnly()) {
    this.#sql = sql;
    this.#replica = replica;
  }

  /** Returns the totals of each of these tenants, at most one second old. */
  async totals(tenants: readonly string[]): Promise<Map<string, Totals>> {
    const rows = await this.#replica.read(
      'directory.statistics.totals',
      [...tenants, platformTenant],
      this.#sql,
      (sql) => sumTotals.rows(sql, { tenants }),
    );
    const byTenant = Map.groupBy(rows, (row) => row.tenant);
    return new Map(tenants.map((tenant) => [tenant, totalsOf(byTenant.get(tenant) ?? [])]));
  }

  /** Returns the recorded totals at the ends of days, in their order; days without a record are omitted. */
  async daily(tenants: readonly string[], from: string, to: string): Promise<Map<string, DailyTotals[]>> {
    const rows = await this.#replica.read(
      'directory.statistics.daily',
      [...tenants, platformTenant],
      this.#sql,
      async (sql) => {
        const prisma = await sql.prisma();
        return prisma.dailyTotal.findMany({
          where: { tenant: { in: [...tenants] }, day: { gte: dateOf(from), lte: dateOf(to) } },
          orderBy: [{ tenant: 'asc' }, { day: 'asc' }],
        });
      },
    );
    const byTenant = Map.groupBy(rows, (row) => row.tenant);
    const days = (tenant: string) => [...Map.groupBy(byTenant.get(tenant) ?? [], ({ day }) => dayOf(day))];
    return new Map(
      tenants.map((tenant) => [tenant, days(tenant).map(([day, ofDay]) => ({ day, ...totalsOf(ofDay) }))]),
    );
  }

  /** Records a day's totals; the first record stays. */
  async note(day: string): Promise<void> {
    await noteTotals.run(this.#sql, { day });
  }
}

/** Days are in UTC. */
const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

function totalsOf(rows: readonly { counted: string; total: number | bigint }[]): Totals {
  const totals: Totals = { people: 0, inactive: 0, deleted: 0, groups: 0, memberships: 0 };
  for (const { counted, total } of rows) {
    const name = names[counted];
    if (name) totals[name] = Number(total);
  }
  return totals;
}
