import { boundedPageById, type GraphContext, type PagingArguments, type Resolvers } from '@ostiary/graph';
import { idToLookUp, isUuid, type Transaction } from '@ostiary/service';
import type { ConnectorLogEntry, ConnectorLogFilter, ConnectorLogQueries } from '../domain/connector-log.ts';
import { type ConnectorLoaders, existingConnector } from './loaders.ts';
import { storable } from './storable.ts';

interface LogArguments extends PagingArguments {
  filter?: {
    connectorId?: string | null;
    actorId?: string | null;
    ipAddress?: string | null;
    clientId?: string | null;
    requestId?: string | null;
    traceId?: string | null;
    action?: string | null;
    since?: Date | null;
    until?: Date | null;
  } | null;
}

type Context = GraphContext<ConnectorLoaders>;

/** Compared exactly. */
const textFilters = ['actorId', 'ipAddress', 'clientId', 'requestId', 'traceId', 'action'] as const;

const filterOf = (given: LogArguments['filter']): ConnectorLogFilter => {
  const { connectorId, since, until } = given ?? {};
  const texts = textFilters.flatMap((name) => {
    const value = given?.[name];
    return typeof value === 'string' ? [[name, storable(value)]] : [];
  });
  return {
    ...Object.fromEntries(texts),
    ...(typeof connectorId === 'string' && { connectorId: idToLookUp(connectorId) }),
    ...(since && { since }),
    ...(until && { until }),
  };
};

const asJson = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** Resolvers of the log of connector changes of the caller's tenant. */
export const connectorLogResolvers = (sql: Transaction, log: ConnectorLogQueries) =>
  ({
    Query: {
      connectorLog(_parent: unknown, { filter: given, ...args }: LogArguments, { tenant }: Context) {
        const filter = filterOf(given);
        return boundedPageById(args, {
          kind: 'connectorLog',
          rows: (page) => log.read(sql, tenant, filter, page),
          count: () => log.count(sql, tenant, filter),
        });
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
  }) satisfies Resolvers<ConnectorLoaders>;
