import type { Logger, Transaction, Transactions } from '@ostiary/service';
import {
  type ChangeRequest,
  type Changes,
  type ConnectorAction,
  changesBetween,
} from './connector-changes.ts';
import type { ConnectorLog } from './connector-log.ts';
import type { ConnectorStore } from './connector-store.ts';
import {
  type EndCarriedOut,
  holdOwner,
  type NamedOwner,
  NoSuchOwner,
  type OwnedConnector,
  type OwnerStore,
  type Owners,
  type OwnershipEnd,
  type ReportedToken,
  shownOwner,
} from './ownership.ts';

export interface OwnershipEndsOptions {
  transactions: Transactions;
  /** The authorization server, which decides who may no longer own connectors. */
  authority: Owners;
  owners: OwnerStore;
  store: ConnectorStore;
  connectorLog: ConnectorLog;
  log: Logger;
}

/** Applies the authorization server's decisions to connectors whose owner may no longer own any. */
export class OwnershipEnds {
  readonly #options: OwnershipEndsOptions;

  constructor(options: OwnershipEndsOptions) {
    this.#options = options;
  }

  /** Applies all pending ends, one response of the authorization server after the other. @throws ServiceUnavailable */
  async carryOutAll(signal?: AbortSignal): Promise<void> {
    while (await this.#carryOutSome(signal));
  }

  /** @returns whether there was one, so that there may be more */
  async #carryOutSome(signal: AbortSignal | undefined): Promise<boolean> {
    const { authority, log } = this.#options;
    const done: EndCarriedOut[] = [];
    const failures: unknown[] = [];
    for (const end of await authority.ends()) {
      if (signal?.aborted) break;
      const { tenant, owner, number } = end;
      try {
        const { connectors, secrets } = await this.carryOut(end);
        done.push({ tenant, ownerId: owner.id, number, connectors, secrets });
        if (connectors > 0)
          log.info(
            { event: 'connector.owner_lost', tenant, connectors, verdict: end.verdict },
            'Connectors lost their owner',
          );
      } catch (error) {
        // A failing end must not block the others.
        failures.push(error);
      }
    }
    if (done.length > 0) await authority.carriedOut(done);
    if (failures.length > 0) throw failures[0];
    return done.length > 0;
  }

  /**
   * Applies one end to all connectors of the owner or none. Revoked: they are disabled and their tokens revoked
   * permanently. Suspended: disabled until an administrator enables them. Transferred: they belong to the successor.
   * Repeated, it returns the first result, and later changes of the connectors stay.
   *
   * Other tokens that the owner knows are revoked, unless they are transferred; those of other owners' connectors
   * expire after the overlap of the tenant's policy.
   * @returns the number of affected connectors, and the tokens
   */
  carryOut(end: OwnershipEnd): Promise<Pick<EndCarriedOut, 'connectors' | 'secrets'>> {
    const { tenant, owner, number } = end;
    const { transactions, owners } = this.#options;
    return transactions.transaction(async (tx) => {
      const last = await owners.lock(tx, tenant, owner.id, 'UPDATE');
      if (last.number >= number) return last.number === number ? last : { connectors: 0, secrets: [] };
      const successor = await this.#successorOf(tx, end);
      let reached = 0;
      for (const connector of await owners.ownedBefore(tx, tenant, owner.id, number)) {
        const isReached = successor
          ? await this.#giveTo(tx, end, connector, successor)
          : await this.#endConnector(tx, end, connector);
        if (isReached) reached += 1;
      }
      const secrets = await this.#endTokens(tx, end, successor);
      await owners.noteEnd(tx, tenant, owner.id, { number, connectors: reached, secrets });
      return { connectors: reached, secrets };
    });
  }

  /** Returns the new owner; undefined when its ownership has ended as well. */
  async #successorOf(tx: Transaction, { tenant, successor }: OwnershipEnd): Promise<NamedOwner | undefined> {
    if (!successor) return undefined;
    try {
      await holdOwner(this.#options.owners, tx, tenant, successor);
      return successor;
    } catch (error) {
      if (error instanceof NoSuchOwner) return undefined;
      throw error;
    }
  }

  async #giveTo(
    tx: Transaction,
    end: OwnershipEnd,
    { id }: OwnedConnector,
    successor: NamedOwner,
  ): Promise<true> {
    await this.#options.store.setOwner(tx, end.tenant, id, successor);
    const changes = changesBetween({ owner: end.owner }, { owner: shownOwner(successor) });
    await this.#record(tx, end, id, 'connector.owner_changed', changes);
    return true;
  }

  /** Tokens of suspended connectors stay: they are rejected until an administrator enables the connectors. */
  async #endTokens(
    tx: Transaction,
    end: OwnershipEnd,
    successor: NamedOwner | undefined,
  ): Promise<ReportedToken[]> {
    const { tenant, owner: knower, number, verdict, tokensEndAt } = end;
    const { owners } = this.#options;
    const reported: ReportedToken[] = [];
    for (const { id, connectorId, name, owner } of await owners.tokensKnownBefore(
      tx,
      tenant,
      knower.id,
      number,
    )) {
      const isOwn = owner?.id === knower.id;
      if (!successor && verdict === 'suspend' && isOwn) continue;
      const token = {
        kind: 'connector_token',
        secretId: id,
        credentialId: connectorId,
        name,
        owner,
      } as const;
      if (successor) {
        await owners.replaceKnower(tx, tenant, id, knower.id, successor);
        reported.push({ ...token, ended: false });
        continue;
      }
      const endsAt =
        tokensEndAt && !isOwn
          ? (await owners.expireToken(tx, tenant, id, new Date(tokensEndAt))).toISOString()
          : undefined;
      if (endsAt === undefined) await owners.revokeToken(tx, tenant, id);
      const changes = {
        ...changesBetween({ token: id }, { token: null }),
        knownTo: { before: knower },
        ...(endsAt !== undefined && { expiresAt: { after: endsAt } }),
      };
      await this.#record(tx, end, connectorId, 'connector.token_revoked', changes);
      reported.push({ ...token, ...(endsAt === undefined ? { ended: true } : { ended: false, endsAt }) });
    }
    return reported;
  }

  /** @returns whether there was anything to end */
  async #endConnector(
    tx: Transaction,
    end: OwnershipEnd,
    { id, status, tokens }: OwnedConnector,
  ): Promise<boolean> {
    const { owners } = this.#options;
    const ending = end.verdict === 'suspend' ? [] : tokens;
    if (status === 'disabled' && ending.length === 0) return false;
    if (ending.length > 0) await owners.revokeTokens(tx, end.tenant, id);
    await owners.disable(tx, end.tenant, id);
    const changes = {
      ...changesBetween({ status }, { status: 'disabled' }),
      ...(ending.length > 0 && changesBetween({ tokens }, { tokens: [] })),
      owner: { before: end.owner },
    };
    const action = status === 'active' ? 'connector.disabled' : 'connector.token_revoked';
    await this.#record(tx, end, id, action, changes);
    return true;
  }

  async #record(
    tx: Transaction,
    { tenant, actor, reason }: OwnershipEnd,
    connectorId: string,
    action: ConnectorAction,
    changes: Changes,
  ): Promise<void> {
    const { store, connectorLog } = this.#options;
    const { version } = await store.advance(tx, { tenant, id: connectorId });
    const by: ChangeRequest = { tenant, actor, clientId: null };
    await connectorLog.record(tx, by, {
      action,
      connectorId,
      connectorVersion: version,
      changes: { ...changes, reason: { after: reason } },
    });
  }
}
