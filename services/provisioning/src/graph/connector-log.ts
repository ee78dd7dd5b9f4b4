import type { Sql } from '@ostiary/database';
import { countedPageById, type GraphContext, type PagingArguments, type Resolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import {
  type ConnectorLogEntry,
  type ConnectorLogFilter,
  type Counted,
  countConnectorLog,
  readConnectorLog,
} from '../data/connector-log.ts';
import { existingConnector, type Loaders } from './loaders.ts';
import { storable } from './storable.ts';

interface LogArguments extends PagingArguments {
  filter?: {
    connectorId?: string | null;
    actorId?: string | null;
    action?: string | null;
    since?: Date | null;
    until?: Date | null;
  } | null;
}

type Context = GraphContext<Loaders>;

/** An id that no connector has. */
const nobody = '00000000-0000-0000-0000-000000000000';

const filterOf = (given: LogArguments['filter']): ConnectorLogFilter => {
  const { connectorId, actorId, action, since, until } = given ?? {};
  return {
    ...(typeof connectorId === 'string' && { connectorId: isUuid(connectorId) ? connectorId : nobody }),
    ...(typeof actorId === 'string' && { actorId: storable(actorId) }),
    ...(typeof action === 'string' && { action: storable(action) }),
    ...(since && { since }),
    ...(until && { until }),
  };
};

const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** Who changed what about the connectors of the caller's tenant. */
export const connectorLogResolvers = (sql: Sql) =>
  ({
    Query: {
      async connectorLog(_parent: unknown, { filter: given, ...args }: LogArguments, { tenant }: Context) {
        const filter = filterOf(given);
        let counting: Promise<Counted> | undefined;
        const counted = (): Promise<Counted> => {
          counting ??= countConnectorLog(sql, tenant, filter);
          return counting;
        };
        const page = await countedPageById(args, {
          kind: 'connectorLog',
          rows: (page) => readConnectorLog(sql, tenant, filter, page),
          total: async () => (await counted()).total,
        });
        return { ...page, totalCountIsExact: async () => (await counted()).isExact };
      },
    },
    ConnectorLogEntry: {
      __resolveReference: ({ id }: { id: string }, { loaders }: Context) =>
        isUuid(id) ? loaders.connectorLogEntry.load(id) : null,
      connector: ({ connectorId }: ConnectorLogEntry, _args: unknown, { loaders }: Context) =>
        existingConnector(loaders, connectorId),
      changes: ({ changes }: ConnectorLogEntry) =>
        Object.entries(changes).map(([attribute, { before, after }]) => ({
          attribute,
          before: asJson(before),
          after: asJson(after),
        })),
    },
  }) satisfies Resolvers<Loaders>;
