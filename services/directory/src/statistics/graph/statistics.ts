import { badUserInput } from '@ostiary/graph';
import type { DirectoryContext, FieldResolvers } from '../../composition/loaders.ts';
import type { Tenant } from '../../tenants/data/tenants.ts';
import type { DayOfGrowth } from '../domain/statistics.ts';

const mostDays = 400;

/** What the resolvers of statistics get; each asks for itself, and only what is selected. */
export const statisticsQueries: FieldResolvers = {
  statistics: async (_root, _args, { loaders }) => loaders.totals.load((await loaders.directory()).tenant),
};

/** Who may see a tenant may see how many there are in it; whoever has got here sees it. */
export const statisticsOfTenant = ({ id }: Tenant, _args: unknown, { loaders }: DirectoryContext) =>
  loaders.totals.load(id);

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

export const statisticsResolvers: FieldResolvers = {
  people,
  growth: async ({ tenant }: Totals, { days }: { days: number }, { loaders }: DirectoryContext) => {
    if (days < 1 || days > mostDays) {
      throw badUserInput(`"days" must be between 1 and ${mostDays}.`, { argument: 'days' });
    }
    return (await loaders.growth(days).load(tenant))?.growth;
  },
};

export const growthResolvers: FieldResolvers = { people, day: ({ date }: DayOfGrowth) => date };
