import type { Actor } from '@ostiary/events';
import { badUserInput, countedPageById, type PagingArguments, requirePrincipal } from '@ostiary/graph';
import type { AuditFilter, Counted } from '../audit/data/audit-log.ts';
import { nodeQueries } from '../nodes/graph/nodes.ts';
import { recyclingQueries } from '../recycling/graph/recycling.ts';
import { type ListInput, listOf } from '../resources/graph/lists.ts';
import { schemaQueries } from '../schemas/graph/schemas.ts';
import { statisticsQueries } from '../statistics/graph/statistics.ts';
import { policyQueries } from '../tenants/graph/tenant-policy.ts';
import { tenantQueries } from '../tenants/graph/tenants.ts';
import type { Directory } from './directory.ts';
import type { FieldResolvers } from './loaders.ts';

interface AuditInput extends PagingArguments {
  filter?: { [K in keyof AuditFilter]?: AuditFilter[K] | null } | null;
}

export const queryResolvers = (directory: Directory): FieldResolvers => ({
  ...schemaQueries,
  ...recyclingQueries,
  ...statisticsQueries,
  ...tenantQueries(directory),
  ...policyQueries(directory),
  ...nodeQueries(directory),

  me: (_root, _args, context) => context.loaders.users.load(requirePrincipal(context).subject),

  user: (_root, { id }: { id: string }, { loaders }) => loaders.users.load(id),

  group: (_root, { id }: { id: string }, { loaders }) => loaders.groups.load(id),

  users: async (_root, input: ListInput, { loaders }) => listOf((await loaders.directory()).users, input),

  groups: async (_root, input: ListInput, { loaders }) => listOf((await loaders.directory()).groups, input),

  usersSharingNames: async (_root, input: PagingArguments, { loaders }) => {
    const { sharedUserNames } = await loaders.directory();
    return countedPageById(input, {
      kind: 'usersSharingNames',
      rows: (page) => sharedUserNames.page(page),
      total: () => sharedUserNames.count(),
    });
  },

  groupsSharingNames: async (_root, input: PagingArguments, { loaders }) => {
    const { groupNames } = await loaders.directory();
    return countedPageById(input, {
      kind: 'groupsSharingNames',
      rows: (page) => groupNames.page(page),
      total: () => groupNames.count(),
    });
  },

  auditLog: async (_root, input: AuditInput, { loaders }) => {
    const bound = await loaders.directory();
    const filter = auditFilterOf(input.filter ?? {});
    let counting: Promise<Counted> | undefined;
    const counted = () => {
      counting ??= bound.countAudit(filter);
      return counting;
    };
    const page = await countedPageById(input, {
      kind: 'auditLog',
      rows: (page) => bound.auditPage(filter, page),
      total: async () => (await counted()).total,
    });
    return { ...page, totalCountIsExact: async () => (await counted()).isExact };
  },
});

/** What is given of a filter. @throws BAD_USER_INPUT for a text that PostgreSQL has no way to hold */
function auditFilterOf(filter: NonNullable<AuditInput['filter']>): AuditFilter {
  const given = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined);
  const wrong = given.find(([, value]) => typeof value === 'string' && value.includes('\u0000'));
  if (wrong) throw badUserInput(`"${wrong[0]}" must not hold NUL.`, { argument: 'filter' });
  const { actorKind, ...rest } = Object.fromEntries(given);
  return {
    ...rest,
    ...(typeof actorKind === 'string' && { actorKind: actorKind.toLowerCase() as Actor['kind'] }),
  };
}
