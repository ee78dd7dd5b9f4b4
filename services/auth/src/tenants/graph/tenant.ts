import { badUserInput, type GraphContext, type TypeResolvers } from '@ostiary/graph';
import type { PeopleDependencies } from '../../composition/people.ts';
import { LoadingCache } from '../../keys/index.ts';
import { signInCounts } from '../../sign-in/data/sign-in-counts.ts';
import type { AuthLoaders } from '../../subgraph/graph/index.ts';
import { type TenantFigures, tenantFigures } from '../../upkeep/data/administration.ts';

type Context = GraphContext<AuthLoaders>;

/** How long a tenant's figures are kept, in milliseconds: counting reads all of its rows. */
const freshMs = 60_000;
const dayMs = 86_400_000;
const mostDays = 366;

/** What this service knows of a tenant: how people sign in, and figures. */
export function tenantResolvers(
  deps: PeopleDependencies,
  branding: (tenant: string) => unknown,
): {
  Tenant: TypeResolvers<AuthLoaders>;
  Query: TypeResolvers<AuthLoaders>;
} {
  const { env } = deps;
  const { sql } = deps.database;
  const figures = new LoadingCache<TenantFigures>({
    max: 10_000,
    freshMs,
    clock: deps.kit.clock,
    load: (tenant) => tenantFigures(sql, tenant, env.SESSION_IDLE_SECONDS),
  });
  return {
    Tenant: {
      // Another tenant's answers like one that doesn't exist.
      __resolveReference: ({ id }: { id: string }, { tenant }: Context) => (id === tenant ? { id } : null),
      branding: ({ id }: { id: string }) => branding(id),
      signInSettings: () => ({
        sessionIdleSeconds: env.SESSION_IDLE_SECONDS,
        sessionAbsoluteSeconds: env.SESSION_ABSOLUTE_SECONDS,
        accessTokenSeconds: env.ACCESS_TOKEN_TTL_SECONDS,
        idTokenSeconds: env.ID_TOKEN_TTL_SECONDS,
        refreshTokenIdleSeconds: env.REFRESH_TOKEN_IDLE_SECONDS,
        refreshTokenAbsoluteSeconds: env.REFRESH_TOKEN_ABSOLUTE_SECONDS,
        invitationSeconds: env.INVITATION_TTL_SECONDS,
        passwordMinLength: env.PASSWORD_MIN_LENGTH,
        securityLogRetentionSeconds: env.SECURITY_LOG_RETENTION_SECONDS,
      }),
    },
    Query: {
      signInStatistics: (_parent: unknown, _args: object, { tenant }: Context) => ({
        live: () => figures.get(tenant),
        async days({ days }: { days?: number | null }) {
          const wanted = days ?? 30;
          if (wanted < 1 || wanted > mostDays) {
            throw badUserInput(`"days" must be between 1 and ${mostDays}.`, { argument: 'days' });
          }
          const dates = Array.from({ length: wanted }, (_, back) =>
            new Date(deps.kit.clock() - (wanted - 1 - back) * dayMs).toISOString().slice(0, 10),
          );
          const counted = await signInCounts(sql, tenant, dates[0] as string);
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
