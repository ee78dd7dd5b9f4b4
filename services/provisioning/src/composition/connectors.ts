import type { Key, Logger } from '@ostiary/service';
import { connectorLog } from '../connectors/data/connector-log.ts';
import { connectorOwners } from '../connectors/data/connector-owners.ts';
import { connectorStore } from '../connectors/data/connector-store.ts';
import { connectorTokens } from '../connectors/data/connector-tokens.ts';
import { Connectors } from '../connectors/data/connectors.ts';
import { ownerlessConnectors } from '../connectors/data/ownerless-connectors.ts';
import { ConnectorAdministration } from '../connectors/domain/connector-administration.ts';
import { OwnerSearch } from '../connectors/domain/owner-search.ts';
import type { Owners } from '../connectors/domain/ownership.ts';
import { OwnershipEnds } from '../connectors/domain/ownership-ends.ts';
import type { Database } from '../database/data/database.ts';

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
