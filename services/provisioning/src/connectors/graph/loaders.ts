import type { Sql } from '@ostiary/database';
import { batchMany, batchOne, type DataLoader, type LoaderScope } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { linksOf, type ResourceLink } from '../../events/data/links.ts';
import { findLogEntries, type LogEntry } from '../../provisioning-log/data/log.ts';
import { type ConnectorLogEntry, findConnectorLogEntries } from '../data/connector-log.ts';
import type { Connectors } from '../data/connectors.ts';
import type { Connector, ConnectorToken } from '../domain/connector.ts';

export interface Loaders {
  /** Links of a user, by user id. */
  userLinks: DataLoader<string, ResourceLink[]>;
  /** By connector id. */
  connector: DataLoader<string, Connector | null>;
  /** Of the provisioning log, by id. */
  logEntry: DataLoader<string, LogEntry | null>;
  /** Of the log of changes of connectors, by id. */
  connectorLogEntry: DataLoader<string, ConnectorLogEntry | null>;
  /** Live tokens, by connector id. */
  tokens: DataLoader<string, ConnectorToken[]>;
}

/** The loaders of one request, bound to the caller's tenant: another tenant's ids find nothing. */
export const createLoaders =
  (sql: Sql, connectors: Connectors) =>
  ({ tenant }: LoaderScope): Loaders => ({
    userLinks: batchMany(
      (ids) => linksOf(sql, tenant, 'User', ids.filter(isUuid)),
      (link) => link.resourceId,
    ),
    connector: batchOne(
      (ids) => connectors.byIds(tenant, ids.filter(isUuid)),
      (connector) => connector.id,
    ),
    logEntry: batchOne(
      (ids) => findLogEntries(sql, tenant, ids),
      (entry) => entry.id,
    ),
    connectorLogEntry: batchOne(
      (ids) => findConnectorLogEntries(sql, tenant, ids),
      (entry) => entry.id,
    ),
    tokens: batchMany(
      (ids) => connectors.tokensOf(tenant, ids),
      (token) => token.connectorId,
    ),
  });

/** A connector that isn't deleted. */
export async function existingConnector(loaders: Loaders, id: string): Promise<Connector | null> {
  const connector = isUuid(id) ? await loaders.connector.load(id) : null;
  return connector?.status === 'deleted' ? null : connector;
}
