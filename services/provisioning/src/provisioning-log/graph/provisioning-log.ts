import type { Sql } from '@ostiary/database';
import {
  countedPageById,
  type GraphContext,
  type LoggedActor,
  type PagingArguments,
  type Resolvers,
} from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { directSource } from '../../connectors/domain/connector.ts';
import type { Loaders } from '../../connectors/graph/loaders.ts';
import { storable } from '../../connectors/graph/storable.ts';
import type { ResourceLink } from '../../events/data/links.ts';
import { type Counted, countLog, type LogEntry, readLog } from '../data/log.ts';

interface LogArguments extends PagingArguments {
  source?: string | null;
  resourceType?: string | null;
  resourceId?: string | null;
  failed?: boolean | null;
  outcome?: string | null;
  since?: Date | null;
  until?: Date | null;
}

type Context = GraphContext<Loaders>;

/** What sources have done: the log, and where a user comes from. */
export const provisioningResolvers = (sql: Sql) =>
  ({
    Query: {
      async provisioningLog(_parent: unknown, args: LogArguments, { tenant }: Context) {
        const filter = {
          ...(typeof args.source === 'string' ? { source: storable(args.source) } : {}),
          ...(typeof args.resourceId === 'string' ? { resourceId: storable(args.resourceId) } : {}),
          ...(args.resourceType ? { resourceType: typeNames[args.resourceType] as string } : {}),
          ...statusesOf(args),
          ...(args.since ? { since: args.since } : {}),
          ...(args.until ? { until: args.until } : {}),
        };
        let counting: Promise<Counted> | undefined;
        const counted = (): Promise<Counted> => {
          counting ??= countLog(sql, tenant, filter);
          return counting;
        };
        const page = await countedPageById(args, {
          kind: 'provisioningLog',
          rows: (page) => readLog(sql, tenant, filter, page),
          total: async () => (await counted()).total,
        });
        return { ...page, totalCountIsExact: async () => (await counted()).isExact };
      },
      provisioningLogEntry: (_parent: unknown, { id }: { id: string }, { loaders }: Context) =>
        isUuid(id) ? loaders.logEntry.load(id) : null,
    },
    User: {
      // The directory says who exists; here a user is an id that links may hang on.
      __resolveReference: ({ id }: { id: string }) => ({ id }),
      provisioning: ({ id }: { id: string }, _args: unknown, { loaders }: Context) =>
        loaders.userLinks.load(id),
    },
    Provisioning: {
      source: (link: ResourceLink, _args: unknown, { loaders }: Context) => sourceOf(link.source, loaders),
    },
    ProvisioningActivity: { resourceType: resourceTypeOf },
    ProvisioningLogEntry: {
      resourceType: resourceTypeOf,
      __resolveReference: ({ id }: { id: string }, { loaders }: Context) =>
        isUuid(id) ? loaders.logEntry.load(id) : null,
      source: (entry: LogEntry, _args: unknown, { loaders }: Context) => sourceOf(entry.source, loaders),
      actor: ({ actorKind: kind, actorId: id }: LogEntry) => ({ kind, id }) as LoggedActor,
    },
  }) satisfies Resolvers<Loaders>;

/** `User` as the graph writes it. */
const resourceTypeOf = ({ resourceType }: { resourceType: string | null }): string | null =>
  resourceType?.toUpperCase() ?? null;

const typeNames: Readonly<Record<string, string>> = { USER: 'User', GROUP: 'Group' };

const outcomes: Readonly<Record<string, readonly [number, number]>> = {
  SUCCEEDED: [0, 399],
  FAILED: [400, 999],
  FORBIDDEN: [403, 403],
  CONFLICT: [409, 409],
  RATE_LIMITED: [429, 429],
  UNAVAILABLE: [500, 599],
};

function statusesOf({ outcome, failed }: LogArguments): { statuses?: readonly [number, number] } {
  const statuses = outcomes[outcome ?? (failed ? 'FAILED' : '')];
  return statuses ? { statuses } : {};
}

async function sourceOf(id: string, loaders: Loaders): Promise<{ sourceId: string; name: string }> {
  if (id === directSource) return { sourceId: id, name: 'Direct' };
  const connector = await loaders.connector.load(id);
  return { sourceId: id, name: connector?.name ?? id };
}
