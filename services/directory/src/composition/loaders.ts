import { platformTenant, type SignInPolicy } from '@ostiary/access';
import type { IdPage } from '@ostiary/database';
import {
  badUserInput,
  batchMany,
  batchOne,
  type DataLoader,
  type GraphContext,
  type LoaderScope,
  type Resolver,
} from '@ostiary/graph';
import type { AuditEntry } from '../audit/data/audit-log.ts';
import type { GroupsPage, MemberOfGroup, PlacedGroup } from '../groups/data/memberships.ts';
import type { KeptNode, NodeKeeper } from '../nodes/domain/node-keepers.ts';
import type { StoredResource } from '../resources/data/rows.ts';
import type { StoredSchema } from '../schemas/data/schemas.ts';
import type { Totals } from '../statistics/data/statistics.ts';
import type { DayOfGrowth } from '../statistics/domain/statistics.ts';
import type { Directory, TenantDirectory } from './directory.ts';

/** What the resolvers of one request read with: bound to the caller's tenant, one statement for many keys. */
export interface DirectoryLoaders {
  directory(): Promise<TenantDirectory>;
  /** What the caller's tenant asks of administrators' sign-ins. */
  signInPolicy(): Promise<SignInPolicy | undefined>;
  users: DataLoader<string, StoredResource | null>;
  groups: DataLoader<string, StoredResource | null>;
  /** By user id; one loader for each page that the query asks for. */
  groupsOfUser(page: GroupsPage): DataLoader<string, PlacedGroup[]>;
  /** What is known of anybody's groups may no longer hold. */
  forgetGroupsOfUsers(): void;
  /** By group id; one loader for each page that the query asks for. */
  members(page: IdPage): DataLoader<string, MemberOfGroup[]>;
  memberCount: DataLoader<string, { groupId: string; total: number } | null>;
  auditEntries: DataLoader<string, AuditEntry | null>;
  /** Extension schemas by URN, in lower case. */
  schemas: DataLoader<string, StoredSchema | null>;
  /** What other services keep, by id; the failure of a service that should have said and didn't, unless another knows the id. */
  keptElsewhere: DataLoader<string, KeptNode | { id: string; failure: unknown } | null>;
  /** By tenant: of which ones, its caller has decided. */
  totals: DataLoader<string, TotalsOfTenant | null>;
  /** By tenant; one loader for each number of days. @throws BAD_USER_INPUT when they are too many in all */
  growth(days: number): DataLoader<string, { tenant: string; growth: DayOfGrowth[] } | null>;
}

export type TotalsOfTenant = Totals & { tenant: string };

/** Days of growth, over all tenants, that one request may ask for. */
const mostDaysAtOnce = 4_000;

export type DirectoryContext = GraphContext<DirectoryLoaders>;

/** Resolvers of a type's fields. */
export type FieldResolvers = Record<string, Resolver<DirectoryLoaders>>;

export function directoryLoaders(
  directory: Directory,
  keepers: readonly NodeKeeper[],
): (scope: LoaderScope) => DirectoryLoaders {
  return ({ tenant }) => {
    const bound = async (): Promise<TenantDirectory> => {
      if (tenant === platformTenant) {
        throw badUserInput("This token is in no tenant: ask for one for the tenant's own graph.");
      }
      return directory.of(tenant);
    };
    let daysAsked = 0;
    const growths = new Map<number, ReturnType<DirectoryLoaders['growth']>>();
    const memberPages = new Map<string, DataLoader<string, MemberOfGroup[]>>();
    const groupPages = new Map<string, DataLoader<string, PlacedGroup[]>>();
    return {
      directory: bound,
      signInPolicy: async () => {
        const found = await directory.tenants.find(tenant);
        return found && directory.policies.inForce(found);
      },
      users: batchOne(
        async (ids) => (await bound()).users.readMany(ids),
        (user) => user.id,
      ),
      groups: batchOne(
        async (ids) => (await bound()).groups.readMany(ids),
        (group) => group.id,
      ),
      groupsOfUser: (page) => {
        const key = JSON.stringify([page.limit, page.after?.key, page.after?.id]);
        const loader =
          groupPages.get(key) ??
          batchMany(
            async (ids) => (await bound()).groupsOf(ids, page),
            (membership) => membership.userId,
          );
        groupPages.set(key, loader);
        return loader;
      },
      forgetGroupsOfUsers: () => groupPages.clear(),
      members: (page) => {
        const key = `${page.direction} ${page.limit} ${page.position ?? ''}`;
        const loader =
          memberPages.get(key) ??
          batchMany(
            async (ids) => (await bound()).membersOf(ids, page),
            (member) => member.groupId,
          );
        memberPages.set(key, loader);
        return loader;
      },
      memberCount: batchOne(
        async (ids) => {
          const counts = await (await bound()).countMembers(ids);
          return [...counts].map(([groupId, total]) => ({ groupId, total }));
        },
        (count) => count.groupId,
      ),
      auditEntries: batchOne(
        async (ids) => (await bound()).auditEntries(ids),
        (entry) => entry.id,
      ),
      schemas: batchOne(
        async () => (await bound()).schemas.list(),
        ({ urn }) => urn.toLowerCase(),
      ),
      keptElsewhere: batchOne(
        (ids) => (tenant === platformTenant ? Promise.resolve([]) : findAt(keepers, tenant, ids)),
        ({ id }) => id,
      ),
      totals: batchOne(
        async (tenants) => {
          const totals = await directory.statistics.totals(tenants);
          return [...totals].map(([tenant, counted]) => ({ tenant, ...counted }));
        },
        ({ tenant }) => tenant,
      ),
      growth: (days) => {
        const loader =
          growths.get(days) ??
          batchOne(
            async (tenants) => {
              daysAsked += days * tenants.length;
              if (daysAsked > mostDaysAtOnce) {
                throw badUserInput(
                  `At most ${mostDaysAtOnce} days of growth may be asked for at once, over all tenants.`,
                  { argument: 'days' },
                );
              }
              const growth = await directory.statistics.growth(tenants, days);
              return [...growth].map(([tenant, growth]) => ({ tenant, growth }));
            },
            (each) => each.tenant,
          );
        growths.set(days, loader);
        return loader;
      },
    };
  };
}

/** Asks all keepers at once. An id that nobody knows isn't nobody's as long as one of them hasn't answered. */
async function findAt(
  keepers: readonly NodeKeeper[],
  tenant: string,
  ids: readonly string[],
): Promise<(KeptNode | { id: string; failure: unknown })[]> {
  const answers = await Promise.allSettled(keepers.map((keeper) => keeper.find(tenant, ids)));
  const found = new Map(
    answers
      .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      .map((kept) => [kept.id, kept]),
  );
  const failed = answers.find((answer) => answer.status === 'rejected');
  return ids.flatMap((id) => found.get(id) ?? (failed ? { id, failure: failed.reason as unknown } : []));
}
