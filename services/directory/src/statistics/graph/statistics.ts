import { badUserInput, type GraphContext } from '@ostiary/graph';
import type { DayOfGrowth } from '../statistics.ts';
import type { StatisticsLoaders, StatisticsResolvers } from './loaders.ts';

const maxDays = 400;

/** Each resolver loads only the selected values. */
export const statisticsQueries: StatisticsResolvers = {
  statistics: async (_root, _args, { loaders }) => loaders.totals.load((await loaders.directory()).tenant),
};

/** A caller that may read a tenant may read its totals. */
export const statisticsOfTenant = (
  { id }: { id: string },
  _args: unknown,
  { loaders }: GraphContext<StatisticsLoaders>,
) => loaders.totals.load(id);

interface Totals {
  tenant: string;
  people: number;
  inactive: number;
  deleted: number;
}

const people = ({ people: total, inactive, deleted }: Omit<Totals, 'tenant'>) => ({
  total,
  active: total - inactive,
  inactive,
  deleted,
});

export const statisticsResolvers: StatisticsResolvers = {
  people,
  growth: async (
    { tenant }: Totals,
    { days }: { days: number },
    { loaders }: GraphContext<StatisticsLoaders>,
  ) => {
    if (days < 1 || days > maxDays) {
      throw badUserInput(`"days" must be between 1 and ${maxDays}.`, { argument: 'days' });
    }
    return (await loaders.growth(days).load(tenant))?.growth;
  },
};

export const growthResolvers: StatisticsResolvers = { people, day: ({ date }: DayOfGrowth) => date };
