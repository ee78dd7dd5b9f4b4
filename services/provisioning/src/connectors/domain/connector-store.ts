import type { Transaction } from '@ostiary/service';
import type { Connector, ConnectorKey } from './connector.ts';
import type { Changes, NewConnector } from './connector-changes.ts';
import type { NamedOwner } from './ownership.ts';

/** Stored connectors, for their administration; every method is one statement of the caller's transaction. */
export interface ConnectorStore {
  /** @throws ClientTaken */
  insert(tx: Transaction, tenant: string, id: string, input: NewConnector): Promise<Connector>;
  /** Returns a connector that is not deleted, with its row locked until the transaction ends. */
  lock(tx: Transaction, tenant: string, id: string): Promise<Connector | undefined>;
  /** Writes only the changed fields, so that fields of a newer release are kept. @throws ClientTaken */
  save(tx: Transaction, before: Connector, after: Connector, changes: Changes): Promise<void>;
  /** Increments the connector's version. */
  advance(tx: Transaction, connector: ConnectorKey): Promise<Connector>;
  /** Marks it as deleted, one version later, and revokes its tokens. */
  markDeleted(tx: Transaction, connector: Connector): Promise<void>;
  /** Removes an OAuth client from a deleted connector. */
  freeClient(tx: Transaction, tenant: string, clientId: string): Promise<void>;
  setOwner(tx: Transaction, tenant: string, connectorId: string, owner: NamedOwner): Promise<void>;
}

/** Tokens of connectors, stored as digests. */
export interface ConnectorTokenStore {
  add(
    tx: Transaction,
    token: {
      tenant: string;
      id: string;
      connectorId: string;
      digest: Uint8Array;
      knownTo: readonly NamedOwner[];
    },
  ): Promise<void>;
  /** Returns the ids of the accepted tokens, newest first. */
  live(tx: Transaction, connector: ConnectorKey): Promise<string[]>;
  /**
   * Keeps the newest live token for this number of seconds, if any, and revokes the others.
   * @returns the kept token
   */
  keepNewest(
    tx: Transaction,
    connector: ConnectorKey,
    seconds: number,
  ): Promise<{ id: string; expiresAt: Date } | undefined>;
  /** Revokes a live token. @returns its id; undefined when there is no such live token */
  revoke(tx: Transaction, connector: ConnectorKey, tokenId: string): Promise<string | undefined>;
}
