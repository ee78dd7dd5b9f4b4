import type { IdPage, Transaction } from '@ostiary/service';
import type { CredentialOwner } from '../../ownership/index.ts';
import type { Receiver } from './delivery.ts';

export type NewReceiver = Pick<
  Receiver,
  'id' | 'kind' | 'name' | 'clientId' | 'endpoint' | 'status' | 'factTypes' | 'settings' | 'secrets'
>;

export type ReceiverChange = Pick<
  Receiver,
  'name' | 'endpoint' | 'status' | 'statusReason' | 'factTypes' | 'settings' | 'secrets'
>;

/** Where receivers are kept. */
export interface ReceiverStore {
  /** A receiver of this tenant; `lock` keeps everybody else from changing it. */
  find(
    tx: Transaction,
    tenant: string,
    id: string,
    o: { kind: Receiver['kind']; lock?: boolean },
  ): Promise<Receiver | undefined>;
  /** Receivers of one kind in the order they were made, from a position on; backward: the nearest before it first. */
  list(tx: Transaction, tenant: string, kind: Receiver['kind'], page: IdPage): Promise<Receiver[]>;
  count(tx: Transaction, tenant: string, kind: Receiver['kind']): Promise<number>;
  /** Adds one unless the tenant has `most` of its kind already; then undefined. */
  insert(tx: Transaction, tenant: string, receiver: NewReceiver, most: number): Promise<Receiver | undefined>;
  /** Overwrites a receiver, whose lock the caller holds. One that is enabled again starts with a clean slate. */
  update(tx: Transaction, tenant: string, id: string, change: ReceiverChange): Promise<Receiver>;
  /** Records who received a new signing secret, besides those who know the previous one while that is valid, too. */
  recordSecretKnown(
    tx: Transaction,
    receiver: Pick<Receiver, 'tenant' | 'id'>,
    knownTo: readonly CredentialOwner[],
    overlaps: boolean,
  ): Promise<void>;
  /** Gives up what waits for a receiver that is disabled; it can be replayed. */
  giveUpWaiting(tx: Transaction, receiver: Pick<Receiver, 'tenant' | 'kind' | 'id'>): Promise<void>;
  /** Removes a receiver; its deliveries are removed later, in batches. False when the tenant has no such receiver. */
  delete(tx: Transaction, tenant: string, id: string, kind: Receiver['kind']): Promise<boolean>;
}

/** What attempts to deliver say about a receiver. */
export interface ReceiverHealth {
  /** Notes that messages do, or don't, arrive there. */
  note(tenant: string, id: string, healthy: boolean): Promise<void>;
  /** Disables a receiver that said it is gone. False when it was disabled, or removed, already, or is elsewhere meanwhile. */
  disable(receiver: Pick<Receiver, 'tenant' | 'id' | 'endpoint'>, reason: string): Promise<boolean>;
}
