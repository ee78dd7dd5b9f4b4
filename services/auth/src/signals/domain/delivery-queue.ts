import type { Transaction } from '@ostiary/service';
import type { NewDelivery, ReceiverKind } from '../../events/index.ts';
import type { DueDelivery } from './delivery.ts';

/** How many more messages a process takes on for one receiver. */
export interface Slots {
  kind: ReceiverKind;
  tenant: string;
  receiverId: string;
  slots: number;
}

export interface ClaimOptions {
  /** Kinds this process can send. */
  kinds: readonly ReceiverKind[];
  /** Messages to take on in all. */
  limit: number;
  /** Of one receiver; one that fails gets a single one. */
  perReceiver: number;
  /** Where it is another number. */
  slots: readonly Slots[];
  /** Of one tenant; `rooms` where it is another number. */
  perTenant: number;
  rooms: readonly { tenant: string; room: number }[];
  /** For how long nobody else takes them on; longer than an attempt takes. */
  leaseSeconds: number;
}

/** A message taken on, with what decides what becomes of it. */
export interface ClaimedDelivery extends DueDelivery {
  /** Seconds since the time it is tried for began. */
  ageSeconds: number;
  /** Seconds since what it tells was written down. */
  waitedSeconds: number;
}

/** What becomes of a message after an attempt. */
export interface Decision {
  state: 'delivered' | 'pending' | 'dead';
  /** Seconds until the next attempt; for pending. */
  pauseSeconds?: number;
  status: number | undefined;
  error: string | undefined;
}

/** What is to be sent. */
export interface DeliveryQueue {
  /** Takes on what is due. @returns `looked`: rows that were due, whether or not it was their turn */
  claimDue(o: ClaimOptions): Promise<{ looked: number; claimed: ClaimedDelivery[] }>;
  /**
   * Writes down what came of an attempt. One whose lease ran out decides nothing any more, unless the message arrived.
   * @returns decided: it counted
   */
  finish(
    delivery: Pick<DueDelivery, 'tenant' | 'id' | 'attempt'>,
    decision: Decision,
  ): Promise<{ decided: boolean }>;
}

/** Where messages for one receiver are put, in the caller's transaction. */
export interface DeliveryOutbox {
  /** @returns their ids */
  append(tx: Transaction, tenant: string, deliveries: readonly NewDelivery[]): Promise<string[]>;
  /** Wakes those who send, once the transaction has committed. */
  wake(tx: Transaction, tenant: string): Promise<void>;
}

/** How many messages of a kind are in a state. */
export interface OpenDeliveries {
  kind: ReceiverKind;
  state: 'held' | 'pending' | 'dead';
  total: number;
}

/** What is done to all deliveries beside sending them. */
export interface DeliveryUpkeep {
  /** Releases what has waited for its predecessors long enough. @returns how many; and whether there may be more */
  releaseOverdue(limit: number): Promise<{ released: number; more: boolean }>;
  /**
   * What waited for a receiver that is disabled is dead, and so is what one that asks by itself didn't ask for in time.
   * @returns how many there were, and of these how many nobody asked for
   */
  buryUndeliverable(giveUpSeconds: number, limit: number): Promise<{ total: number; unasked: number }>;
  /** What is still to be delivered, by kind and state; `oldestSeconds` is the age of the oldest that can be. */
  open(): Promise<(OpenDeliveries & { oldestSeconds: number })[]>;
  dead(): Promise<OpenDeliveries[]>;
}

/** Says when there is something to send. */
export interface DeliveryNotices {
  /** @param heard called with the tenant, or '' when it may be any. Resolves to the function that stops it. */
  listen(heard: (tenant: string) => void): Promise<() => Promise<void>>;
}

/** Pokes, at most every so many ms, while there are deliveries of a kind, whoever wrote them down. */
export interface PendingDeliveries {
  /** To be sent, now or later. */
  onPending(everyMs: number, wake: { poke(urgent?: boolean): void }): void;
  /** Waiting for others for longer than they should. */
  onOverdue(everyMs: number, wake: { poke(urgent?: boolean): void }): void;
}
