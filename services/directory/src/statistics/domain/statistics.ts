import type { DailyTotals, Statistics, Totals } from '../data/statistics.ts';

/** One day (UTC), with its totals at its end, or now; and how they changed in its course. */
export interface DayOfGrowth extends Totals {
  /** YYYY-MM-DD */
  date: string;
  /** People at the end of the day, less those at its beginning. */
  peopleChange: number;
  groupsChange: number;
}

const millisecondsADay = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const nothing: Totals = { people: 0, inactive: 0, deleted: 0, groups: 0, memberships: 0 };

/** How tenants grow. Who may know of which ones, the caller has decided. */
export class TenantStatistics {
  readonly #statistics: Statistics;
  readonly #clock: () => number;

  constructor(statistics: Statistics, clock: () => number) {
    this.#statistics = statistics;
    this.#clock = clock;
  }

  totals(tenants: readonly string[]): Promise<Map<string, Totals>> {
    return this.#statistics.totals(tenants);
  }

  /** The last days in their order, today included. A day of which nothing was noted is like the one before. */
  async growth(tenants: readonly string[], days: number): Promise<Map<string, DayOfGrowth[]>> {
    const now = this.#clock();
    const [noted, current] = await Promise.all([
      this.#statistics.daily(tenants, dayOf(now - days * millisecondsADay), dayOf(now - millisecondsADay)),
      this.#statistics.totals(tenants),
    ]);
    return new Map(
      tenants.map((tenant) => [
        tenant,
        growthOf(noted.get(tenant) ?? [], current.get(tenant) ?? nothing, { now, days }),
      ]),
    );
  }
}

function growthOf(
  noted: readonly DailyTotals[],
  current: Totals,
  { now, days }: { now: number; days: number },
): DayOfGrowth[] {
  const byDay = new Map<string, Totals>(noted.map(({ day, ...totals }) => [day, totals]));
  let before = byDay.get(dayOf(now - days * millisecondsADay)) ?? noted[0];
  const growth: DayOfGrowth[] = [];
  for (let left = days - 1; left >= 0; left -= 1) {
    const day = dayOf(now - left * millisecondsADay);
    const totals: Totals = left === 0 ? current : (byDay.get(day) ?? before ?? nothing);
    // Before the first note nothing is known, and nothing is made up.
    const known = before ?? totals;
    growth.push({
      ...pick(totals),
      date: day,
      peopleChange: totals.people - known.people,
      groupsChange: totals.groups - known.groups,
    });
    before = totals;
  }
  return growth;
}

const pick = ({ people, inactive, deleted, groups, memberships }: Totals): Totals => ({
  people,
  inactive,
  deleted,
  groups,
  memberships,
});
