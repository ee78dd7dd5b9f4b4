import type { Transaction } from '@ostiary/service';
import type { NewDelivery, ReceiverKind } from '../../tenancy/index.ts';
import type { DueDelivery } from './delivery.ts';

/** Number of messages that a process may lease for one receiver. */
export interface Slots {
  kind: ReceiverKind;
  tenant: string;
  receiverId: string;
  slots: number;
}

export interface ClaimOptions {
  /** Kinds that this process can send. */
  kinds: readonly ReceiverKind[];
  /** Maximum number of messages in total. */
  limit: number;
  /** Maximum per receiver; a failing receiver gets one. */
  perReceiver: number;
  /** Exceptions to `perReceiver`. */
  slots: readonly Slots[];
  /** Maximum per tenant; `rooms` has the exceptions. */
  perTenant: number;
  rooms: readonly { tenant: string; room: number }[];
  /** Lease in seconds; longer than the timeout of an attempt. */
  leaseSeconds: number;
}

/** A leased message, with the times that decide on a retry. */
export interface ClaimedDelivery extends DueDelivery {
  /** Seconds since the retry period began. */
  ageSeconds: number;
  /** Seconds since the event was written. */
  waitedSeconds: number;
}

/** State of a message after an attempt. */
export interface Decision {
  state: 'delivered' | 'pending' | 'dead';
  /** Seconds until the next attempt, for `pending`. */
  pauseSeconds?: number;
  status: number | undefined;
  error: string | undefined;
}

/** Queue of messages to receivers. */
export interface DeliveryQueue {
  /**
   * Leases due deliveries.
   * @returns `looked`: due rows examined, including those that wait for an earlier delivery
   */
  claimDue(o: ClaimOptions): Promise<{ looked: number; claimed: ClaimedDelivery[] }>;
  /**
   * Stores the result of an attempt. After the lease has expired, only a successful delivery is stored.
   * @returns `decided`: the result was stored
   */
  finish(delivery: DueDelivery, decision: Decision): Promise<{ decided: boolean }>;
}

/** Enqueues messages for single receivers in the caller's transaction. */
export interface DeliveryOutbox {
  /** @returns ids of the deliveries */
  append(tx: Transaction, tenant: string, deliveries: readonly NewDelivery[]): Promise<string[]>;
  /** Wakes the senders after the transaction has committed. */
  wake(tx: Transaction, tenant: string): Promise<void>;
}

/** Number of messages by kind and state. */
export interface OpenDeliveries {
  kind: ReceiverKind;
  state: 'held' | 'pending' | 'dead';
  total: number;
}

/** Background maintenance of deliveries. */
export interface DeliveryMaintenance {
  /**
   * Releases deliveries that waited too long for an earlier one.
   * @returns number of deliveries, and whether there may be more
   */
  releaseOverdue(limit: number): Promise<{ released: number; more: boolean }>;
  /**
   * Makes dead letters of messages to disabled receivers, and of messages that a polling receiver did not fetch in
   * time.
   * @returns number of messages, and how many of these were not fetched
   */
  failUndeliverable(giveUpSeconds: number, limit: number): Promise<{ total: number; unasked: number }>;
  /** Counts undelivered messages by kind and state. `oldestSeconds` is the age of the oldest deliverable message. */
  open(): Promise<(OpenDeliveries & { oldestSeconds: number })[]>;
  dead(): Promise<OpenDeliveries[]>;
}

/** Notifications of new messages. */
export interface DeliveryNotices {
  /**
   * @param heard called with the tenant, or '' for any tenant
   * @returns function that stops the notifications
   */
  listen(heard: (tenant: string) => void): Promise<() => Promise<void>>;
}

/**
 * Wakes a worker, at most every `everyMs` milliseconds, while matching deliveries exist, written by any process.
 */
export interface PendingDeliveries {
  /** Deliveries that are pending. */
  onPending(everyMs: number, wake: { poke(urgent?: boolean): void }): void;
  /** Deliveries that wait too long for an earlier one. */
  onOverdue(everyMs: number, wake: { poke(urgent?: boolean): void }): void;
}
