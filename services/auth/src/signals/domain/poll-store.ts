import type { Transaction } from '@ostiary/service';
import type { DueDelivery, Receiver } from './delivery.ts';

/** A message that waits to be fetched. */
export type WaitingDelivery = Pick<
  DueDelivery,
  'id' | 'variant' | 'payload' | 'createdAt' | 'replayed' | 'fact'
>;

/** What waits for receivers that ask. */
export interface PollStore {
  /** At most so many of what waits; the caller holds the receiver's lock. `all`, or only what no other request was handed lately. */
  waiting(
    tx: Transaction,
    stream: Pick<Receiver, 'tenant' | 'id' | 'status'>,
    o: { all: boolean; limit: number },
  ): Promise<WaitingDelivery[]>;
  /** Whether there may be something for a request that waits: a glance, without any lock. */
  anythingWaiting(tx: Transaction, stream: Pick<Receiver, 'tenant' | 'id'>): Promise<boolean>;
  /** Notes that these were handed out: for so many seconds no other request that waits gets them. */
  noteHandedOut(tx: Transaction, tenant: string, ids: readonly string[], seconds: number): Promise<void>;
  /**
   * What the receiver took, and what it can't take. What isn't its own, or was said before, is passed over.
   * @returns how many died of it
   */
  settle(
    tx: Transaction,
    stream: Pick<Receiver, 'tenant' | 'id'>,
    o: { delivered: readonly string[]; dead: readonly { id: string; reason: string }[] },
  ): Promise<number>;
}
