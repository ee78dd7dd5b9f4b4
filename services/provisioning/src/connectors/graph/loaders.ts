import { batchMany, batchOne, type DataLoader, type LoaderScope } from '@ostiary/graph';
import { isUuid, type Transaction } from '@ostiary/service';
import type { Connector, ConnectorToken } from '../domain/connector.ts';
import type { ConnectorLogEntry, ConnectorLogQueries } from '../domain/connector-log.ts';
import type { ConnectorQueries } from '../domain/connector-queries.ts';

export interface ConnectorLoaders {
  /** By connector id. */
  connector: DataLoader<string, Connector | null>;
  /** Of the log of changes of connectors, by id. */
  connectorLogEntry: DataLoader<string, ConnectorLogEntry | null>;
  /** Live tokens, by connector id. */
  tokens: DataLoader<string, ConnectorToken[]>;
}

/** The loaders of one request, bound to the caller's tenant: another tenant's ids find nothing. */
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

/** A connector that isn't deleted. */
export async function existingConnector(loaders: ConnectorLoaders, id: string): Promise<Connector | null> {
  const connector = isUuid(id) ? await loaders.connector.load(id) : null;
  return connector?.status === 'deleted' ? null : connector;
}
