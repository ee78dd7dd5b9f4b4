import type { Transaction } from '@ostiary/service';
import type { NewFact } from './facts.ts';
import type { NewDelivery } from './new-delivery.ts';

/** Where facts and deliveries are written down, in the transaction that makes them true. */
export interface FactStore {
  /**
   * Writes down what happened, with one delivery for each receiver that wants to know, in the caller's transaction: one
   * statement for up to a thousand facts. A tenant whose receivers want none of it stores nothing.
   */
  appendFacts(tx: Transaction, tenant: string, facts: readonly NewFact[]): Promise<void>;
  /** As `appendFacts`; what is held waits so long for what happened before it, unless that comes. */
  appendGated(
    tx: Transaction,
    tenant: string,
    facts: readonly { fact: NewFact; heldSeconds: number | undefined }[],
  ): Promise<void>;
  /** Deliveries that aren't fanned out by subscription (logout tokens, tests), in the caller's transaction. @returns their ids */
  appendDeliveries(tx: Transaction, tenant: string, deliveries: readonly NewDelivery[]): Promise<string[]>;
  /** Once the transaction has committed; listeners are told the tenant, or the last of several. */
  wakeWorkers(tx: Transaction, tenant: string): Promise<void>;
}
