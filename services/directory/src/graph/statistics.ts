import { badUserInput } from '@ostiary/graph';
import type { DirectoryContext, FieldResolvers } from './loaders.ts';

const mostDays = 400;

/** What the resolvers of statistics get; each asks for itself, and only what is selected. */
export const statisticsQueries: FieldResolvers = {
  statistics: async (_root, _args, { loaders }) => {
    const { statistics } = await loaders.directory();
    return statistics.totals();
  },
};

interface Totals {
  people: number;
  inactive: number;
  deleted: number;
}

const people = ({ people: total, inactive, deleted }: Totals) => ({
  total,
  active: total - inactive,
  inactive,
  deleted,
});

export const statisticsResolvers: FieldResolvers = {
  people,
  growth: async (_totals, { days }: { days: number }, { loaders }: DirectoryContext) => {
    if (days < 1 || days > mostDays) {
      throw badUserInput(`"days" must be between 1 and ${mostDays}.`, { argument: 'days' });
    }
    const { statistics } = await loaders.directory();
    return statistics.growth(days);
  },
};

export const growthResolvers: FieldResolvers = { people };
