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
  /** Returns the current totals. */
  totals(tenants: readonly string[]): Promise<Map<string, Totals>>;
  /** Returns the recorded totals at the ends of days, in their order; days without a record are omitted. */
  daily(tenants: readonly string[], from: string, to: string): Promise<Map<string, DailyTotals[]>>;
  /** Records the totals of every tenant for the end of a day, unless they are recorded. @param day YYYY-MM-DD */
  note(day: string): Promise<void>;
}

/** One day (UTC), with its totals at its end, or now, and their changes. */
export interface DayOfGrowth extends Totals {
  /** YYYY-MM-DD */
  date: string;
  /** Users at the end of the day, minus those at its beginning. */
  peopleChange: number;
  groupsChange: number;
}

const millisecondsADay = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const nothing: Totals = { people: 0, inactive: 0, deleted: 0, groups: 0, memberships: 0 };

/** Growth of tenants. The caller decides which ones may be read. */
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

  /** Records the totals for the end of yesterday (UTC). */
  noteYesterday(): Promise<void> {
    return this.#statistics.note(dayOf(this.#clock() - millisecondsADay));
  }

  /** Returns the last days in their order, including today. A day without a record repeats the one before. */
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
    // Before the first record, no change is reported.
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
