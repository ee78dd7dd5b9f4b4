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
  /** Null when the log doesn't say, or not any more. */
  madeBy: Actor | null;
}

export interface OwnerlessConnectors {
  /** Connectors that are nobody's, of which it wasn't yet asked who made them. */
  find(sql: Transaction, limit: number): Promise<OwnerlessConnector[]>;
  /**
   * Notes of one that is still nobody's that it was asked about.
   * @param advances whether that makes its version one more
   * @returns its version; undefined when it isn't nobody's any more
   */
  noteSought(tx: Transaction, tenant: string, id: string, advances: boolean): Promise<number | undefined>;
}

export interface OwnerSearchOptions {
  transactions: Transactions;
  /** The authorization server, which says who may own a connector. */
  authority: Pick<Owners, 'nameCallers'>;
  ownerless: OwnerlessConnectors;
  owners: OwnerStore;
  store: ConnectorStore;
  connectorLog: ConnectorLog;
}

/** The creator as the log names it: the user, also when an app acted for them, otherwise the program. */
function makersOf({ kind, id, onBehalfOf }: Actor): Caller[] {
  if (kind === 'user' || onBehalfOf !== undefined) return [{ kind: 'user', id: onBehalfOf ?? id }];
  return kind === 'client' ? [{ kind: 'program', id }] : [];
}

/** Connectors of one round. */
const atOnce = 50;

/**
 * Connectors that were made before there were owners belong to the user who made them, or for whom an app did, or to
 * the owner of the program that did, as the log says; if they could own one now. What else there is stays nobody's, and isn't looked at again.
 */
export class OwnerSearch {
  readonly #options: OwnerSearchOptions;

  constructor(options: OwnerSearchOptions) {
    this.#options = options;
  }

  /** @returns how many it looked at @throws ServiceUnavailable */
  async round(): Promise<number> {
    const { transactions, ownerless } = this.#options;
    const found = await ownerless.find(transactions.sql, atOnce);
    for (const connector of found) await this.#settle(connector);
    return found.length;
  }

  async #settle({ tenant, id, madeBy }: OwnerlessConnector): Promise<void> {
    try {
      const makers = madeBy ? makersOf(madeBy) : [];
      const { owner } = await this.#options.authority.nameCallers(tenant, makers, true);
      await this.#give(tenant, id, owner ?? undefined);
    } catch (error) {
      // They ended in between: it is nobody's.
      if (!(error instanceof NoSuchOwner)) throw error;
      await this.#give(tenant, id, undefined);
    }
  }

  /** @throws NoSuchOwner when they ended since they were named */
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
