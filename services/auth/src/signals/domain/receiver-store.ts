import type { IdPage, Transaction } from '@ostiary/service';
import type { CredentialOwner } from '../../access/index.ts';
import type { Receiver } from './delivery.ts';

export type NewReceiver = Pick<
  Receiver,
  'id' | 'kind' | 'name' | 'clientId' | 'endpoint' | 'status' | 'factTypes' | 'settings' | 'secrets'
>;

export type ReceiverChange = Pick<
  Receiver,
  'name' | 'endpoint' | 'status' | 'statusReason' | 'factTypes' | 'settings' | 'secrets'
>;

export interface ReceiverStore {
  /** Returns a receiver of a tenant. `lock` locks its row. */
  find(
    tx: Transaction,
    tenant: string,
    id: string,
    o: { kind: Receiver['kind']; lock?: boolean },
  ): Promise<Receiver | undefined>;
  /**
   * Returns receivers of one kind in order of creation, from a position on. Backward, the row nearest to the position
   * is first.
   */
  list(tx: Transaction, tenant: string, kind: Receiver['kind'], page: IdPage): Promise<Receiver[]>;
  count(tx: Transaction, tenant: string, kind: Receiver['kind']): Promise<number>;
  /** Inserts a receiver. Returns undefined when the tenant already has `most` of its kind. */
  insert(tx: Transaction, tenant: string, receiver: NewReceiver, most: number): Promise<Receiver | undefined>;
  /**
   * Overwrites a receiver whose lock the caller holds. Enabling it, or changing its endpoint, resets `failingSince`.
   */
  update(tx: Transaction, tenant: string, id: string, change: ReceiverChange): Promise<Receiver>;
  /** Records the users who received a new signing secret, besides the previous ones while `overlaps`. */
  recordSecretKnown(
    tx: Transaction,
    receiver: Receiver,
    knownTo: readonly CredentialOwner[],
    overlaps: boolean,
  ): Promise<void>;
  /** Makes all undelivered messages of a disabled receiver dead letters; they can be replayed. */
  giveUpWaiting(tx: Transaction, receiver: Receiver): Promise<void>;
  /**
   * Deletes a receiver; its deliveries are deleted later, in batches. Returns false when the tenant has no such
   * receiver.
   */
  delete(tx: Transaction, tenant: string, id: string, kind: Receiver['kind']): Promise<boolean>;
}

/** Stores the health of receivers, as attempts to deliver show it. */
export interface ReceiverHealth {
  /** Records whether messages arrive at a receiver. */
  note(tenant: string, id: string, healthy: boolean): Promise<void>;
  /**
   * Disables a receiver that returned 410 (Gone). Returns false when it is already disabled or removed, or its endpoint
   * changed in the meantime.
   */
  disable(receiver: Receiver, reason: string): Promise<boolean>;
}
