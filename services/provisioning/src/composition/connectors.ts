import type { Key, Logger } from '@ostiary/service';
import {
  Connectors,
  connectorLog,
  connectorOwners,
  connectorStore,
  connectorTokens,
  ownerlessConnectors,
} from '../connectors/data/index.ts';
import { ConnectorAdministration, OwnerSearch, type Owners, OwnershipEnds } from '../connectors/index.ts';
import type { Database } from '../database/data/index.ts';

/** Creates the queries of connectors and their administration. */
export function createConnectors(options: {
  database: Database;
  owners: Owners;
  tokenKey: Key;
  log: Logger;
}) {
  const { database, owners: authority, tokenKey, log } = options;
  const shared = { transactions: database, owners: connectorOwners, store: connectorStore };
  return {
    connectors: new Connectors(database, tokenKey),
    administration: new ConnectorAdministration({
      ...shared,
      tokens: connectorTokens,
      log: connectorLog,
      tokenKey,
    }),
    ownershipEnds: new OwnershipEnds({ ...shared, authority, connectorLog, log }),
    ownerSearch: new OwnerSearch({ ...shared, authority, ownerless: ownerlessConnectors, connectorLog }),
  };
}
