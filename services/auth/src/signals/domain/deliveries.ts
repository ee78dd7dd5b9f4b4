import type { Claim, Database, IdPage, Sql, Transaction } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import { record } from '../../audit/data/security-log.ts';
import { wakeWorkers } from '../../events/data/facts.ts';
import type { ReceiverKind } from '../../events/index.ts';
import {
  type Counted,
  countDeliveries,
  type DeliveryFilter,
  type DeliverySummary,
  deleteDelivery,
  findDelivery,
  listDeliveries,
  reviveDead,
  reviveDelivery,
} from '../data/delivery-list.ts';
import { findToldOne, receiverStatus } from '../data/receivers.ts';

export type { Counted, DeliveryFilter, DeliverySummary } from '../data/delivery-list.ts';

/** What is asked for doesn't fit what there is. The message is for the one who asks. */
export class DeliveryConflict extends Error {}

/** What was told, is to be told, or was given up, of one tenant. */
export interface Deliveries {
  /** Newest first. */
  list(tenant: string, filter: DeliveryFilter, page: IdPage): Promise<DeliverySummary[]>;
  /** As far as they are counted. */
  count(tenant: string, filter: DeliveryFilter): Promise<Counted>;
  find(tenant: string, id: string): Promise<DeliverySummary | undefined>;
  /** Sends a finished one again, with the same id. Undefined when the tenant has none. @throws DeliveryConflict */
  replay(tenant: string, id: string, claim?: Claim): Promise<DeliverySummary | undefined>;
  /**
   * The same for all that are dead of a receiver, bit by bit; with an idempotency key in one transaction, and the key is claimed for how
   * many they were. @returns how many, undefined when the tenant has no such receiver
   * @throws DeliveryConflict
   */
  replayDead(tenant: string, receiverId: string, since?: Date, claim?: Claim): Promise<number | undefined>;
  /** Deletes one that is dead or waits. False when the tenant has none. @throws DeliveryConflict */
  discard(tenant: string, id: string, claim?: Claim): Promise<boolean>;
}

const typeOf = { webhook: 'Webhook', ssf: 'SignalStream', client: 'Client' } as const;

/** Dead deliveries that one statement revives. */
const atOnce = 5_000;

export function createDeliveries(database: Pick<Database<unknown>, 'sql' | 'transaction'>): Deliveries {
  const { sql } = database;
  return {
    list: (tenant, filter, page) => listDeliveries(sql, tenant, filter, page),
    count: (tenant, filter) => countDeliveries(sql, tenant, filter),
    find: async (tenant, id) => (isUuid(id) ? findDelivery(sql, tenant, id) : undefined),
    replay: async (tenant, id, claim) => {
      if (!isUuid(id)) return undefined;
      return database.transaction(async (tx) => {
        const found = await findDelivery(tx, tenant, id, { lock: true });
        if (!found) return undefined;
        await claim?.(tx, tenant, found.id);
        if (found.state !== 'dead' && found.state !== 'delivered')
          throw new DeliveryConflict('The delivery is still to be made.');
        await mustBeThere(tx, tenant, found.receiverKind, found.receiverId);
        await reviveDelivery(tx, tenant, id);
        await record(tx, tenant, {
          action: 'delivery.replayed',
          resourceType: 'Delivery',
          resourceId: found.id,
          changes: { state: { before: found.state, after: 'pending' } },
        });
        await wakeWorkers(tx, tenant);
        return findDelivery(tx, tenant, id);
      });
    },
    async replayDead(tenant, id, since, claim) {
      // Not a UUID where it is a client's; no id has a NUL, nor can it be asked for.
      const told = id.includes('\u0000') ? undefined : await findToldOne(sql, tenant, id);
      if (!told) return undefined;
      const some = async (tx: Transaction): Promise<number> => {
        await mustBeThere(tx, tenant, undefined, told.id);
        const count = await reviveDead(tx, tenant, told.id, since, atOnce);
        if (count > 0) {
          await record(tx, tenant, {
            action: 'delivery.replayed',
            resourceType: typeOf[told.kind],
            resourceId: told.id,
            changes: { deliveries: { after: count } },
          });
          await wakeWorkers(tx, tenant);
        }
        return count;
      };
      if (!claim) return untilFew(() => database.transaction(some));
      return database.transaction(async (tx) => {
        const total = await untilFew(() => some(tx));
        await claim(tx, tenant, String(total));
        return total;
      });
    },
    discard: async (tenant, id, claim) => {
      if (!isUuid(id)) return false;
      return database.transaction(async (tx) => {
        const found = await findDelivery(tx, tenant, id, { lock: true });
        if (!found) return false;
        await claim?.(tx, tenant, found.id);
        if (found.state === 'delivered') throw new DeliveryConflict('The delivery was made.');
        if (found.underWay) throw new DeliveryConflict('The delivery is under way.');
        await deleteDelivery(tx, tenant, id);
        const { type, receiverId, subjectId, state } = found;
        await record(tx, tenant, {
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
        await wakeWorkers(tx, tenant);
        return true;
      });
    },
  };
}

/** How many they are in all, when each time as many as can be are done, until there are fewer. */
async function untilFew(some: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await some();
    total += count;
    if (count < atOnce) return total;
  }
}

/** A client's logout endpoint is looked at when it is sent to. */
async function mustBeThere(
  tx: Sql,
  tenant: string,
  kind: ReceiverKind | undefined,
  receiverId: string,
): Promise<void> {
  if (kind === 'backchannel_logout') return;
  const status = isUuid(receiverId) ? await receiverStatus(tx, tenant, receiverId) : undefined;
  if (status === 'disabled') throw new DeliveryConflict('The receiver is disabled: enable it first.');
  if (status === undefined && kind !== undefined) throw new DeliveryConflict('The receiver was removed.');
}
