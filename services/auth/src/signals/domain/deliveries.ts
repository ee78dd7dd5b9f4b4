import {
  type BoundedCount,
  type IdPage,
  isUuid,
  type Transaction,
  type Transactions,
} from '@ostiary/service';
import type { Claim, SecurityLog } from '../../platform/index.ts';
import type { ReceiverKind } from '../../tenancy/index.ts';
import type { DeliveryOutbox } from './delivery-queue.ts';
import type { DeliveryFilter, DeliveryStore, DeliverySummary } from './delivery-store.ts';

export type { DeliveryFilter, DeliverySummary } from './delivery-store.ts';

/** The request conflicts with the state of the delivery. The message is shown to the caller. */
export class DeliveryConflict extends Error {}

const typeOf = { webhook: 'Webhook', ssf: 'SignalStream', client: 'Client' } as const;

/** Maximum number of dead letters that one statement revives. */
const batchSize = 5_000;

/** Deliveries of a tenant, as administrators list, replay and discard them. */
export class Deliveries {
  readonly #database: Transactions;
  readonly #store: DeliveryStore;
  readonly #outbox: DeliveryOutbox;
  readonly #securityLog: SecurityLog;

  constructor(o: {
    database: Transactions;
    deliveries: DeliveryStore;
    outbox: DeliveryOutbox;
    securityLog: SecurityLog;
  }) {
    this.#database = o.database;
    this.#store = o.deliveries;
    this.#outbox = o.outbox;
    this.#securityLog = o.securityLog;
  }

  list(tenant: string, filter: DeliveryFilter, page: IdPage): Promise<DeliverySummary[]> {
    return this.#store.list(this.#database.sql, tenant, filter, page);
  }

  count(tenant: string, filter: DeliveryFilter): Promise<BoundedCount> {
    return this.#store.count(this.#database.sql, tenant, filter);
  }

  async find(tenant: string, id: string): Promise<DeliverySummary | undefined> {
    return isUuid(id) ? this.#store.find(this.#database.sql, tenant, id) : undefined;
  }

  /**
   * Sends a finished delivery again, with the same id. Returns undefined when the tenant has no such delivery.
   * @throws DeliveryConflict
   */
  async replay(tenant: string, id: string, claim?: Claim): Promise<DeliverySummary | undefined> {
    return this.#locked(tenant, id, claim, async (tx, found) => {
      if (found.state !== 'dead' && found.state !== 'delivered')
        throw new DeliveryConflict('The delivery is still pending.');
      await this.#mustBeThere(tx, tenant, found.receiverKind, found.receiverId);
      await this.#store.revive(tx, tenant, id);
      await this.#securityLog.record(tx, tenant, {
        action: 'delivery.replayed',
        resourceType: 'Delivery',
        resourceId: found.id,
        changes: { state: { before: found.state, after: 'pending' } },
      });
      await this.#outbox.wake(tx, tenant);
      return this.#store.find(tx, tenant, id);
    });
  }

  /**
   * Replays all dead letters of a receiver in batches. With an idempotency key, all batches share one transaction, and
   * the key is claimed for the number of deliveries.
   * @returns number of deliveries; undefined when the tenant has no such receiver
   * @throws DeliveryConflict
   */
  async replayDead(
    tenant: string,
    receiverId: string,
    since?: Date,
    claim?: Claim,
  ): Promise<number | undefined> {
    // A client id need not be a UUID. PostgreSQL rejects NUL in parameters, and no id has one.
    const notified = receiverId.includes('\u0000')
      ? undefined
      : await this.#store.findNotified(this.#database.sql, tenant, receiverId);
    if (!notified) return undefined;
    const some = (tx: Transaction): Promise<number> => this.#replaySome(tx, tenant, notified, since);
    if (!claim) return untilFew(() => this.#database.transaction(some));
    return this.#database.transaction(async (tx) => {
      const total = await untilFew(() => some(tx));
      await claim(tx, tenant, String(total));
      return total;
    });
  }

  /**
   * Deletes a dead or pending delivery. Returns false when the tenant has no such delivery.
   * @throws DeliveryConflict
   */
  async discard(tenant: string, id: string, claim?: Claim): Promise<boolean> {
    const discarded = await this.#locked(tenant, id, claim, async (tx, found) => {
      if (found.state === 'delivered') throw new DeliveryConflict('The delivery is already complete.');
      if (found.underWay) throw new DeliveryConflict('The delivery is in progress.');
      await this.#store.delete(tx, tenant, id);
      const { type, receiverId, subjectId, state } = found;
      await this.#securityLog.record(tx, tenant, {
        action: 'delivery.discarded',
        resourceType: 'Delivery',
        resourceId: found.id,
        changes: {
          type: { before: type },
          receiverId: { before: receiverId },
          subjectId: { before: subjectId },
          state: { before: state },
        },
      });
      await this.#outbox.wake(tx, tenant);
      return true;
    });
    return discarded ?? false;
  }

  /** Runs work on a delivery whose lock is held. Returns undefined when the tenant has no such delivery. */
  async #locked<T>(
    tenant: string,
    id: string,
    claim: Claim | undefined,
    work: (tx: Transaction, found: DeliverySummary & { underWay: boolean }) => Promise<T>,
  ): Promise<T | undefined> {
    if (!isUuid(id)) return undefined;
    return this.#database.transaction(async (tx) => {
      const found = await this.#store.find(tx, tenant, id, { lock: true });
      if (!found) return undefined;
      await claim?.(tx, tenant, found.id);
      return work(tx, found);
    });
  }

  /**
   * Replays one batch of dead letters.
   * @returns number of deliveries
   */
  async #replaySome(
    tx: Transaction,
    tenant: string,
    receiver: { kind: keyof typeof typeOf; id: string },
    since: Date | undefined,
  ): Promise<number> {
    await this.#mustBeThere(tx, tenant, undefined, receiver.id);
    const count = await this.#store.reviveDead(tx, tenant, receiver.id, since, batchSize);
    if (count > 0) {
      await this.#securityLog.record(tx, tenant, {
        action: 'delivery.replayed',
        resourceType: typeOf[receiver.kind],
        resourceId: receiver.id,
        changes: { deliveries: { after: count } },
      });
      await this.#outbox.wake(tx, tenant);
    }
    return count;
  }

  /** Client endpoints are not checked here: the sender checks them at each attempt. */
  async #mustBeThere(
    tx: Transaction,
    tenant: string,
    kind: ReceiverKind | undefined,
    receiverId: string,
  ): Promise<void> {
    if (kind === 'backchannel_logout') return;
    const status = isUuid(receiverId) ? await this.#store.receiverStatus(tx, tenant, receiverId) : undefined;
    if (status === 'disabled') throw new DeliveryConflict('The receiver is disabled: enable it first.');
    if (status === undefined && kind !== undefined) throw new DeliveryConflict('The receiver was removed.');
  }
}

/** Repeats a batch until one is not full, and returns the total. */
async function untilFew(some: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await some();
    total += count;
    if (count < batchSize) return total;
  }
}
