import { badUserInput, type GraphContext, type TypeResolvers } from '@ostiary/graph';
import type { SignInPeriods, TenantStatistics } from '../domain/tenant-figures.ts';

type Context = GraphContext<unknown>;

const lengths = { day: { ms: 86_400_000, max: 366 }, hour: { ms: 3_600_000, max: 168 } };

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

  /** Returns the counts of the last days or hours, including the current one, oldest first. */
  async function signIns(
    tenant: string,
    { per, argument, count }: { per: SignInPeriods['per']; argument: string; count: number },
  ) {
    const { ms, max } = lengths[per];
    if (count < 1 || count > max) {
      throw badUserInput(`"${argument}" must be between 1 and ${max}.`, { argument });
    }
    const last = Math.floor(deps.clock() / ms);
    const starts = Array.from({ length: count }, (_, at) =>
      new Date((last - (count - 1 - at)) * ms).toISOString(),
    );
    const counted = await statistics.signIns(tenant, { per, since: starts[0] as string });
    return starts.map((start) => {
      const total = (outcome: string): number =>
        counted.find((one) => one.start === start && one.outcome === outcome)?.total ?? 0;
      return { start, accepted: total('accepted'), refused: total('refused'), delayed: total('delayed') };
    });
  }

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
          const counts = await signIns(tenant, { per: 'day', argument: 'days', count: days ?? 30 });
          return counts.map(({ start, ...count }) => ({ date: start.slice(0, 10), ...count }));
        },
        async hours({ hours }: { hours?: number | null }) {
          const counts = await signIns(tenant, { per: 'hour', argument: 'hours', count: hours ?? 48 });
          return counts.map(({ start, ...count }) => ({ beginsAt: start, ...count }));
        },
      }),
    },
  };
}
