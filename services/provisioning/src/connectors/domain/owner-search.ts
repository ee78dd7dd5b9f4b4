import type { Caller } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import type { Transaction, Transactions } from '@ostiary/service';
import type { ConnectorLog } from './connector-log.ts';
import type { ConnectorStore } from './connector-store.ts';
import {
  holdOwner,
  type NamedOwner,
  NoSuchOwner,
  type OwnerStore,
  type Owners,
  shownOwner,
} from './ownership.ts';

export interface OwnerlessConnector {
  tenant: string;
  id: string;
  /** Null when the log has no creator, or no longer has it. */
  madeBy: Actor | null;
}

export interface OwnerlessConnectors {
  /** Returns connectors without an owner whose creator was not looked up yet. */
  find(sql: Transaction, limit: number): Promise<OwnerlessConnector[]>;
  /**
   * Marks a connector that still has no owner as looked up.
   * @param advances whether its version is incremented
   * @returns its version; undefined when it has an owner
   */
  noteSought(tx: Transaction, tenant: string, id: string, advances: boolean): Promise<number | undefined>;
}

export interface OwnerSearchOptions {
  transactions: Transactions;
  /** The authorization server, which decides who may own a connector. */
  authority: Owners;
  ownerless: OwnerlessConnectors;
  owners: OwnerStore;
  store: ConnectorStore;
  connectorLog: ConnectorLog;
}

/** Returns the creator in the log: the user, also when a client acted for the user, otherwise the client. */
function makersOf({ kind, id, onBehalfOf }: Actor): Caller[] {
  if (kind === 'user' || onBehalfOf !== undefined) return [{ kind: 'user', id: onBehalfOf ?? id }];
  return kind === 'client' ? [{ kind: 'program', id }] : [];
}

/** Batch size of a round. */
const batchSize = 50;

/**
 * Finds owners for connectors from before there were owners: the user who created them, directly or through a client,
 * or the owner of the client that did, as the log records, if the user may own a connector now. The others stay
 * without an owner and are not looked up again.
 */
export class OwnerSearch {
  readonly #options: OwnerSearchOptions;

  constructor(options: OwnerSearchOptions) {
    this.#options = options;
  }

  /** @returns the number of examined connectors @throws ServiceUnavailable */
  async round(): Promise<number> {
    const { transactions, ownerless } = this.#options;
    const found = await ownerless.find(transactions.sql, batchSize);
    for (const connector of found) await this.#settle(connector);
    return found.length;
  }

  async #settle({ tenant, id, madeBy }: OwnerlessConnector): Promise<void> {
    try {
      const makers = madeBy ? makersOf(madeBy) : [];
      const { owner } = await this.#options.authority.nameCallers(tenant, makers, true);
      await this.#give(tenant, id, owner ?? undefined);
    } catch (error) {
      // The ownership ended in the meantime: the connector has no owner.
      if (!(error instanceof NoSuchOwner)) throw error;
      await this.#give(tenant, id, undefined);
    }
  }

  /** @throws NoSuchOwner when the ownership ended after the naming */
  #give(tenant: string, id: string, owner: NamedOwner | undefined): Promise<void> {
    const { transactions, owners, store, ownerless, connectorLog } = this.#options;
    return transactions.transaction(async (tx) => {
      if (owner) await holdOwner(owners, tx, tenant, owner);
      const version = await ownerless.noteSought(tx, tenant, id, owner !== undefined);
      if (!owner || version === undefined) return;
      await store.setOwner(tx, tenant, id, owner);
      const by = { tenant, actor: { kind: 'system', id: 'provisioning' }, clientId: null } as const;
      await connectorLog.record(tx, by, {
        action: 'connector.owner_changed',
        connectorId: id,
        connectorVersion: version,
        changes: { owner: { after: shownOwner(owner) }, reason: { after: 'owner: made it' } },
      });
    });
  }
}
