import type { Transaction } from '@ostiary/service';
import type { Connector } from './connector.ts';
import type { Changes, NewConnector } from './connector-changes.ts';
import type { NamedOwner } from './ownership.ts';

/** What administering connectors keeps of them; every method is one statement of the caller's transaction. */
export interface ConnectorStore {
  /** @throws ClientTaken */
  insert(tx: Transaction, tenant: string, id: string, input: NewConnector): Promise<Connector>;
  /** A connector that isn't deleted, with its row locked until the transaction ends. */
  lock(tx: Transaction, tenant: string, id: string): Promise<Connector | undefined>;
  /** Writes what the changes name, and no more: what a newer release knows of a connector stays. @throws ClientTaken */
  save(tx: Transaction, before: Connector, after: Connector, changes: Changes): Promise<void>;
  /** Makes the connector's version one more. */
  advance(tx: Transaction, connector: Pick<Connector, 'tenant' | 'id'>): Promise<Connector>;
  /** Marks it as deleted, one version later, and revokes its tokens. */
  markDeleted(tx: Transaction, connector: Connector): Promise<void>;
  /** Takes an OAuth client from a connector that was deleted. */
  freeClient(tx: Transaction, tenant: string, clientId: string): Promise<void>;
  setOwner(tx: Transaction, tenant: string, connectorId: string, owner: NamedOwner): Promise<void>;
}

/** Tokens of connectors, of which only digests are kept. */
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
  /** Ids of the tokens that are accepted, newest first. */
  live(tx: Transaction, connector: Pick<Connector, 'tenant' | 'id'>): Promise<string[]>;
  /**
   * Leaves the newest live token for so many seconds, if any, and revokes the others.
   * @returns the one that is left
   */
  keepNewest(
    tx: Transaction,
    connector: Pick<Connector, 'tenant' | 'id'>,
    seconds: number,
  ): Promise<{ id: string; expiresAt: Date } | undefined>;
  /** Revokes one that is live. @returns its id; undefined when there is no such live token */
  revoke(
    tx: Transaction,
    connector: Pick<Connector, 'tenant' | 'id'>,
    tokenId: string,
  ): Promise<string | undefined>;
}
