import type { Transaction } from '@ostiary/service';
import type { DueDelivery, Receiver, ReceiverKey } from './delivery.ts';

/** A message that waits for a poll request. */
export type WaitingDelivery = Pick<
  DueDelivery,
  'id' | 'variant' | 'payload' | 'createdAt' | 'replayed' | 'fact'
>;

/** Messages of polling receivers. */
export interface PollStore {
  /**
   * Returns up to `limit` messages; the caller holds the receiver's lock. Without `all`, messages leased to another
   * request are omitted.
   */
  waiting(tx: Transaction, stream: Receiver, o: { all: boolean; limit: number }): Promise<WaitingDelivery[]>;
  /** Reports, without a lock, whether a waiting poll request may have something to return. */
  anythingWaiting(tx: Transaction, stream: ReceiverKey): Promise<boolean>;
  /** Leases these deliveries to one poll request for `seconds`. */
  noteHandedOut(tx: Transaction, tenant: string, ids: readonly string[], seconds: number): Promise<void>;
  /**
   * Stores the receiver's acknowledgements and errors. Unknown and already settled ids are ignored.
   * @returns number of deliveries that became dead letters
   */
  settle(
    tx: Transaction,
    stream: Receiver,
    o: { delivered: readonly string[]; dead: readonly { id: string; reason: string }[] },
  ): Promise<number>;
}
