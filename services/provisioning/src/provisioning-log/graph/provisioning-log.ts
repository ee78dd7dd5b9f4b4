import {
  boundedPageById,
  type GraphContext,
  type LoggedActor,
  type PagingArguments,
  type Resolvers,
} from '@ostiary/graph';
import { isUuid, type Transaction } from '@ostiary/service';
import type { ConnectorLoaders } from '../../connectors/graph/loaders.ts';
import { provisioningSourceOf } from '../../connectors/graph/provisioning-source.ts';
import { storable } from '../../connectors/graph/storable.ts';
import type { LogEntry, ProvisioningLogQueries } from '../provisioning-log.ts';
import type { LogLoaders } from './loaders.ts';

interface LogFilter {
  source?: string | null;
  resourceType?: string | null;
  resourceId?: string | null;
  failed?: boolean | null;
  outcome?: string | null;
  since?: Date | null;
  until?: Date | null;
}

/** The conditions beside `filter` are deprecated. */
type LogArguments = PagingArguments & LogFilter & { filter?: LogFilter | null };

type Loaders = ConnectorLoaders & LogLoaders;
type Context = GraphContext<Loaders>;

/** Resolvers of the log of SCIM requests. */
export const provisioningLogResolvers = (sql: Transaction, log: ProvisioningLogQueries) =>
  ({
    Query: {
      provisioningLog(_parent: unknown, args: LogArguments, { tenant }: Context) {
        const filter = conditionsOf({ ...args, ...args.filter });
        return boundedPageById(args, {
          kind: 'provisioningLog',
          rows: (page) => log.read(sql, tenant, filter, page),
          count: () => log.count(sql, tenant, filter),
        });
      },
      provisioningLogEntry: (_parent: unknown, { id }: { id: string }, { loaders }: Context) =>
        isUuid(id) ? loaders.logEntry.load(id) : null,
    },
    ProvisioningActivity: { resourceType: resourceTypeOf },
    ProvisioningLogEntry: {
      resourceType: resourceTypeOf,
      __resolveReference: ({ id }: { id: string }, { loaders }: Context) =>
        isUuid(id) ? loaders.logEntry.load(id) : null,
      source: (entry: LogEntry, _args: unknown, { loaders }: Context) =>
        provisioningSourceOf(entry.source, loaders),
      occurredAt: ({ at }: LogEntry) => at,
      actor: ({ actorKind: kind, actorId: id }: LogEntry) => ({ kind, id }) as LoggedActor,
    },
  }) satisfies Resolvers<Loaders>;

/** Returns the enum value: `User` → `USER`. */
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

const conditionsOf = (given: LogFilter) => ({
  ...(typeof given.source === 'string' ? { source: storable(given.source) } : {}),
  ...(typeof given.resourceId === 'string' ? { resourceId: storable(given.resourceId) } : {}),
  ...(given.resourceType ? { resourceType: typeNames[given.resourceType] as string } : {}),
  ...statusesOf(given),
  ...(given.since ? { since: given.since } : {}),
  ...(given.until ? { until: given.until } : {}),
});

function statusesOf({ outcome, failed }: LogFilter): { statuses?: readonly [number, number] } {
  const statuses = outcomes[outcome ?? (failed ? 'FAILED' : '')];
  return statuses ? { statuses } : {};
}
