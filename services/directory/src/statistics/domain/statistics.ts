/** What is counted, and how many there are. */
export interface Totals {
  people: number;
  inactive: number;
  /** Users who were deleted and can still be restored. */
  deleted: number;
  groups: number;
  memberships: number;
}

/** Totals at the end of a day (UTC), YYYY-MM-DD. */
export type DailyTotals = Totals & { day: string };

/** Totals of many tenants. */
export interface StatisticsStore {
  /** As of now. */
  totals(tenants: readonly string[]): Promise<Map<string, Totals>>;
  /** At the ends of days, in their order, from one day to another; days on which nothing was noted are left out. */
  daily(tenants: readonly string[], from: string, to: string): Promise<Map<string, DailyTotals[]>>;
  /** Notes the totals of every tenant as those of the end of a day, unless they are noted. @param day YYYY-MM-DD */
  note(day: string): Promise<void>;
}

/** One day (UTC), with its totals at its end, or now; and how they changed in its course. */
export interface DayOfGrowth extends Totals {
  /** YYYY-MM-DD */
  date: string;
  /** Users at the end of the day, less those at its beginning. */
  peopleChange: number;
  groupsChange: number;
}

const millisecondsADay = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const nothing: Totals = { people: 0, inactive: 0, deleted: 0, groups: 0, memberships: 0 };

/** How tenants grow. Which ones may be read, the caller has decided. */
export class TenantStatistics {
  readonly #statistics: StatisticsStore;
  readonly #clock: () => number;

  constructor(statistics: StatisticsStore, clock: () => number) {
    this.#statistics = statistics;
    this.#clock = clock;
  }

  totals(tenants: readonly string[]): Promise<Map<string, Totals>> {
    return this.#statistics.totals(tenants);
  }

  /** Notes the totals as of the end of yesterday (UTC). */
  noteYesterday(): Promise<void> {
    return this.#statistics.note(dayOf(this.#clock() - millisecondsADay));
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
    // Before the first day that was noted nothing is known, and nothing is made up.
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
