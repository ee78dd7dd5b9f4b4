import { badUserInput, type GraphContext, type TypeResolvers } from '@ostiary/graph';
import type { TenantStatistics } from '../domain/tenant-figures.ts';

type Context = GraphContext<unknown>;

const dayMs = 86_400_000;
const maxDays = 366;

export function tenantResolvers(
  deps: {
    /** `signInSettings` of the graph, which are the same for all tenants of the installation. */
    settings: object;
    statistics: TenantStatistics;
    /** Wall clock in milliseconds. */
    clock: () => number;
  },
  branding: (tenant: string) => unknown,
): {
  Tenant: TypeResolvers<unknown>;
  Query: TypeResolvers<unknown>;
} {
  const { settings, statistics } = deps;
  return {
    Tenant: {
      // Another tenant has the same answer as one that does not exist.
      __resolveReference: ({ id }: { id: string }, { tenant }: Context) => (id === tenant ? { id } : null),
      branding: ({ id }: { id: string }) => branding(id),
      signInSettings: () => settings,
    },
    Query: {
      signInStatistics: (_parent: unknown, _args: object, { tenant }: Context) => ({
        live: () => statistics.figures(tenant),
        async days({ days }: { days?: number | null }) {
          const wanted = days ?? 30;
          if (wanted < 1 || wanted > maxDays) {
            throw badUserInput(`"days" must be between 1 and ${maxDays}.`, { argument: 'days' });
          }
          const dates = Array.from({ length: wanted }, (_, back) =>
            new Date(deps.clock() - (wanted - 1 - back) * dayMs).toISOString().slice(0, 10),
          );
          const counted = await statistics.signIns(tenant, dates[0] as string);
          return dates.map((date) => {
            const total = (outcome: string): number =>
              counted.find((count) => count.day === date && count.outcome === outcome)?.total ?? 0;
            return {
              date,
              accepted: total('accepted'),
              refused: total('refused'),
              delayed: total('delayed'),
            };
          });
        },
      }),
    },
  };
}
