import { badUserInput, batchOne, type DataLoader, type Resolver } from '@ostiary/graph';
import type { DayOfGrowth, TenantStatistics, Totals } from '../statistics.ts';

export interface StatisticsLoaders {
  directory(): Promise<{ readonly tenant: string }>;
  /** By tenant; the resolver decides which ones may be read. */
  totals: DataLoader<string, TotalsOfTenant | null>;
  /** By tenant; one loader for each number of days. @throws BAD_USER_INPUT above the maximum number of days */
  growth(days: number): DataLoader<string, { tenant: string; growth: DayOfGrowth[] } | null>;
}

export type StatisticsResolvers = Record<string, Resolver<StatisticsLoaders>>;

type TotalsOfTenant = Totals & { tenant: string };

/** Maximum number of days of growth, over all tenants, in one request. */
const maxDaysPerBatch = 4_000;

export function statisticsLoaders(
  statistics: TenantStatistics,
): Pick<StatisticsLoaders, 'totals' | 'growth'> {
  const growths = new GrowthLoaders(statistics);
  return {
    totals: batchOne(
      async (tenants) => {
        const totals = await statistics.totals(tenants);
        return [...totals].map(([tenant, counted]) => ({ tenant, ...counted }));
      },
      ({ tenant }) => tenant,
    ),
    growth: (days) => growths.over(days),
  };
}

/** The loaders of one request, one for each number of days, with the number of requested days. */
class GrowthLoaders {
  readonly #statistics: TenantStatistics;
  readonly #loaders = new Map<number, ReturnType<StatisticsLoaders['growth']>>();
  #daysAsked = 0;

  constructor(statistics: TenantStatistics) {
    this.#statistics = statistics;
  }

  over(days: number): ReturnType<StatisticsLoaders['growth']> {
    const known = this.#loaders.get(days);
    if (known) return known;
    const loader = batchOne(
      (tenants: readonly string[]) => this.#read(tenants, days),
      (each) => each.tenant,
    );
    this.#loaders.set(days, loader);
    return loader;
  }

  async #read(
    tenants: readonly string[],
    days: number,
  ): Promise<{ tenant: string; growth: DayOfGrowth[] }[]> {
    this.#daysAsked += days * tenants.length;
    if (this.#daysAsked > maxDaysPerBatch) {
      throw badUserInput(
        `At most ${maxDaysPerBatch} days of growth can be requested together, over all tenants.`,
        { argument: 'days' },
      );
    }
    const growth = await this.#statistics.growth(tenants, days);
    return [...growth].map(([tenant, growth]) => ({ tenant, growth }));
  }
}
