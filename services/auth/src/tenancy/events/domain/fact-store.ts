import type { Transaction } from '@ostiary/service';
import type { NewFact } from './facts.ts';
import type { NewDelivery } from './new-delivery.ts';

/** Stores facts and deliveries, in the transaction of the change. */
export interface FactStore {
  /**
   * Stores facts with one delivery per subscribed receiver, in the caller's transaction: one statement for up to 1,000
   * facts. Nothing is stored for a tenant without subscribers.
   */
  appendFacts(tx: Transaction, tenant: string, facts: readonly NewFact[]): Promise<void>;
  /** Stores facts like `appendFacts`. A held fact waits up to its number of seconds for its predecessor. */
  appendGated(
    tx: Transaction,
    tenant: string,
    facts: readonly { fact: NewFact; heldSeconds: number | undefined }[],
  ): Promise<void>;
  /**
   * Stores deliveries without a subscription (logout tokens, tests), in the caller's transaction. @returns their ids
   */
  appendDeliveries(tx: Transaction, tenant: string, deliveries: readonly NewDelivery[]): Promise<string[]>;
  /** Wakes the workers after the commit. The payload is the tenant, or the last of several. */
  wakeWorkers(tx: Transaction, tenant: string): Promise<void>;
}
