import type { Transaction } from '@ostiary/service';

/** The same was asked before, with the same key; `resourceId` is what it was done to then. */
export class Repeated extends Error {
  readonly resourceId: string;
  constructor(resourceId: string) {
    super('asked before');
    this.resourceId = resourceId;
  }
}

/** The key came with something else before. */
export class KeyReused extends Error {}

/** A use of an idempotency key: by whom, and for what. */
export interface KeyedRequest {
  /** Part of the key: nobody meets another's. */
  caller: string;
  /** Part of the key, too. */
  operation: string;
  idempotencyKey: string;
  /** What is asked for: JSON values. */
  input: unknown;
}

/** A caller's idempotency key, for what is about to be done. */
export interface KeyClaim {
  /**
   * Holds it in the transaction that does it: of any number of requests with one key, one does something, and the others wait for it.
   * @throws Repeated, KeyReused: nothing is to be done
   */
  hold(tx: Transaction, tenant: string, resourceId: string): Promise<void>;
}

export interface IdempotencyKeys {
  claim(request: KeyedRequest): KeyClaim;
}
