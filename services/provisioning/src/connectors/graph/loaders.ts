import { batchMany, batchOne, type DataLoader, type LoaderScope } from '@ostiary/graph';
import { isUuid, type Transaction } from '@ostiary/service';
import type { Connector, ConnectorToken } from '../domain/connector.ts';
import type { ConnectorLogEntry, ConnectorLogQueries } from '../domain/connector-log.ts';
import type { ConnectorQueries } from '../domain/connector-queries.ts';

export interface ConnectorLoaders {
  /** By connector id. */
  connector: DataLoader<string, Connector | null>;
  /** Entries of the connector log, by id. */
  connectorLogEntry: DataLoader<string, ConnectorLogEntry | null>;
  /** Live tokens, by connector id. */
  tokens: DataLoader<string, ConnectorToken[]>;
}

/** Creates the loaders of one request, bound to the caller's tenant: ids of another tenant find nothing. */
export const connectorLoaders =
  (sql: Transaction, connectors: ConnectorQueries, log: ConnectorLogQueries) =>
  ({ tenant }: LoaderScope): ConnectorLoaders => ({
    connector: batchOne(
      (ids) => connectors.byIds(tenant, ids.filter(isUuid)),
      (connector) => connector.id,
    ),
    connectorLogEntry: batchOne(
      (ids) => log.byIds(sql, tenant, ids),
      (entry) => entry.id,
    ),
    tokens: batchMany(
      (ids) => connectors.tokensOf(tenant, ids),
      (token) => token.connectorId,
    ),
  });

/** Returns a connector that is not deleted. */
export async function existingConnector(loaders: ConnectorLoaders, id: string): Promise<Connector | null> {
  const connector = isUuid(id) ? await loaders.connector.load(id) : null;
  return connector?.status === 'deleted' ? null : connector;
}
