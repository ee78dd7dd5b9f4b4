import { type Key, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import { widens } from './conferred.ts';
import type { Connector } from './connector.ts';
import {
  type ChangeRequest,
  type Changes,
  type ChangeTarget,
  type ConnectorAction,
  type ConnectorChanges,
  changesBetween,
  loggedState,
  masked,
  type NewConnector,
  NoSuchConnector,
  NoSuchToken,
  VersionMismatch,
} from './connector-changes.ts';
import type { ConnectorLog } from './connector-log.ts';
import type { ConnectorStore, ConnectorTokenStore } from './connector-store.ts';
import { connectorTokenDigest, newConnectorToken } from './connector-token.ts';
import { holdKnowers, holdOwner, type NamedOwner, type OwnerStore, shownOwner } from './ownership.ts';

/** Throws unless the caller has all rights of this connector, in its current or its new state, with its row locked. */
type MayOpen = (connector: Connector) => Promise<void>;

export interface AdministrationOptions {
  transactions: Transactions;
  store: ConnectorStore;
  tokens: ConnectorTokenStore;
  owners: OwnerStore;
  log: ConnectorLog;
  /** Key of the digests of tokens. */
  tokenKey: Key;
}

/**
 * Changes of connectors, which take effect at the next request. Each is one transaction with its log entry, and
 * increments the connector's version. A change without an effect does neither. Only digests of tokens are stored: a
 * token is readable once, in the response that creates it.
 */
export class ConnectorAdministration {
  readonly #options: AdministrationOptions;

  constructor(options: AdministrationOptions) {
    this.#options = options;
  }

  /**
   * Creates a connector with its first token.
   * @throws ClientTaken, NoSuchOwner, Repeated, KeyReused
   */
  create(by: ChangeRequest, input: NewConnector): Promise<{ connector: Connector; token: string }> {
    const { tenant, claim } = by;
    const id = uuidv7();
    const { transactions, store, owners, log } = this.#options;
    return transactions.transaction(async (tx) => {
      await claim?.hold(tx, tenant, id);
      const { owner, knownTo = [] } = input;
      await holdKnowers(owners, tx, tenant, owner ? [owner, ...knownTo] : knownTo);
      if (input.clientId !== null) await store.freeClient(tx, tenant, input.clientId);
      const connector = await store.insert(tx, tenant, id, input);
      const made = await this.#addToken(tx, connector, knownTo);
      await log.record(tx, by, {
        action: 'connector.created',
        connectorId: id,
        connectorVersion: connector.version,
        changes: {
          ...changesBetween(undefined, loggedState(connector)),
          ...changesBetween({}, { tokens: [made.id], token: masked }),
        },
      });
      return { connector, token: made.token };
    });
  }

  /** @throws NoSuchConnector, VersionMismatch, ClientTaken, Repeated, KeyReused, and the errors of `mayOpen` */
  update(
    by: ChangeRequest,
    target: ChangeTarget,
    changes: ConnectorChanges,
    mayOpen: MayOpen,
  ): Promise<Connector> {
    return this.#change(by, target, async (tx, before) => {
      const after: Connector = { ...before, ...changes, rules: { ...before.rules, ...changes.rules } };
      if (widens(before, after)) await mayOpen(after);
      if (after.clientId !== null && after.clientId !== before.clientId) {
        await this.#options.store.freeClient(tx, before.tenant, after.clientId);
      }
      return this.#store(tx, by, 'connector.updated', before, after);
    });
  }

  /**
   * Transfers a connector to another owner. For its current owner nothing changes.
   * @throws NoSuchConnector, NoSuchOwner, VersionMismatch, Repeated, KeyReused, and the errors of `mayOpen`
   */
  transfer(by: ChangeRequest, target: ChangeTarget, owner: NamedOwner, mayOpen: MayOpen): Promise<Connector> {
    return this.#change(by, target, async (tx, before) => {
      await mayOpen(before);
      await holdOwner(this.#options.owners, tx, before.tenant, owner);
      await this.#options.store.setOwner(tx, before.tenant, before.id, owner);
      const changes = changesBetween({ owner: before.owner }, { owner: shownOwner(owner) });
      // The new naming counts even for the same owner.
      if (Object.keys(changes).length === 0) return before;
      return this.#advance(tx, by, 'connector.owner_changed', before, changes);
    });
  }

  /**
   * Disables or enables a connector. Its tokens follow at the next request.
   * @throws NoSuchConnector, VersionMismatch, Repeated, KeyReused, and the errors of `mayOpen`
   */
  setStatus(
    by: ChangeRequest,
    target: ChangeTarget,
    status: 'active' | 'disabled',
    mayOpen: MayOpen,
  ): Promise<Connector> {
    const action = status === 'active' ? 'connector.enabled' : 'connector.disabled';
    return this.#change(by, target, async (tx, before) => {
      if (status === 'active') await mayOpen(before);
      return this.#store(tx, by, action, before, { ...before, status });
    });
  }

  /**
   * Deletes a connector and revokes its tokens. The row stays: the provisioning log shows its name, and its OAuth
   * client does not get the rights of a client without a connector.
   * @throws NoSuchConnector, VersionMismatch, Repeated, KeyReused
   */
  async remove(by: ChangeRequest, target: ChangeTarget): Promise<void> {
    await this.#change(by, target, async (tx, before) => {
      const tokens = await this.#options.tokens.live(tx, before);
      await this.#options.store.markDeleted(tx, before);
      await this.#options.log.record(tx, by, {
        action: 'connector.deleted',
        connectorId: before.id,
        connectorVersion: before.version + 1,
        changes: changesBetween({ ...loggedState(before), tokens }, undefined),
      });
    });
  }

  /**
   * Adds a token to the connector. Its newest live token expires after `overlapSeconds`, older ones are revoked
   * immediately: at most two are live.
   * @throws NoSuchConnector, VersionMismatch, Repeated, KeyReused, and the errors of `mayOpen`
   */
  rotateToken(
    by: ChangeRequest,
    target: ChangeTarget,
    overlapSeconds: number,
    mayOpen: MayOpen,
    knownTo: readonly NamedOwner[] = [],
  ): Promise<{ connector: Connector; token: string; previousExpiresAt: Date | null }> {
    return this.#change(by, target, async (tx, before) => {
      await mayOpen(before);
      await holdKnowers(this.#options.owners, tx, before.tenant, knownTo);
      const tokens = await this.#options.tokens.live(tx, before);
      const previous = await this.#options.tokens.keepNewest(tx, before, overlapSeconds);
      const made = await this.#addToken(tx, before, knownTo);
      const connector = await this.#advance(tx, by, 'connector.token_rotated', before, {
        ...changesBetween({ tokens }, { tokens: [made.id, ...(previous ? [previous.id] : [])] }),
        ...changesBetween({}, { token: masked, previousTokenExpiresAt: previous?.expiresAt }),
      });
      return { connector, token: made.token, previousExpiresAt: previous?.expiresAt ?? null };
    });
  }

  /**
   * Revokes one token.
   * @throws NoSuchConnector, NoSuchToken, VersionMismatch, Repeated, KeyReused
   */
  revokeToken(by: ChangeRequest, target: ChangeTarget, tokenId: string): Promise<Connector> {
    return this.#change(by, target, async (tx, before) => {
      const tokens = await this.#options.tokens.live(tx, before);
      const ended = await this.#options.tokens.revoke(tx, before, tokenId);
      if (ended === undefined) throw new NoSuchToken();
      const changes = changesBetween({ tokens }, { tokens: tokens.filter((id) => id !== ended) });
      return this.#advance(tx, by, 'connector.token_revoked', before, changes);
    });
  }

  /** Serializes the changes of a connector: locks its row and checks the expected version. */
  #change<T>(
    { tenant, claim }: ChangeRequest,
    { id, version }: ChangeTarget,
    work: (tx: Transaction, before: Connector) => Promise<T>,
  ): Promise<T> {
    const { transactions, store } = this.#options;
    return transactions.transaction(async (tx) => {
      await claim?.hold(tx, tenant, id);
      const before = await store.lock(tx, tenant, id);
      if (!before) throw new NoSuchConnector();
      if (version !== undefined && version !== before.version) throw new VersionMismatch(before.version);
      return work(tx, before);
    });
  }

  /** Stores and records the differences. */
  async #store(
    tx: Transaction,
    by: ChangeRequest,
    action: ConnectorAction,
    before: Connector,
    after: Connector,
  ): Promise<Connector> {
    const changes = changesBetween(loggedState(before), loggedState(after));
    if (Object.keys(changes).length === 0) return before;
    await this.#options.store.save(tx, before, after, changes);
    return this.#advance(tx, by, action, before, changes);
  }

  async #advance(
    tx: Transaction,
    by: ChangeRequest,
    action: ConnectorAction,
    before: Connector,
    changes: Changes,
  ): Promise<Connector> {
    const connector = await this.#options.store.advance(tx, before);
    const { id, version } = connector;
    await this.#options.log.record(tx, by, { action, connectorId: id, connectorVersion: version, changes });
    return connector;
  }

  async #addToken(
    tx: Transaction,
    { tenant, id }: Connector,
    knownTo: readonly NamedOwner[],
  ): Promise<{ id: string; token: string }> {
    const made = { id: uuidv7(), token: newConnectorToken() };
    const digest = connectorTokenDigest(this.#options.tokenKey(), made.token);
    await this.#options.tokens.add(tx, { tenant, id: made.id, connectorId: id, digest, knownTo });
    return made;
  }
}
