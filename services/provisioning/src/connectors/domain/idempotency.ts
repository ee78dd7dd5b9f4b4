import type { Transaction } from '@ostiary/service';

/** The same request with the same key was executed before; `resourceId` is the resource that it changed. */
export class Repeated extends Error {
  readonly resourceId: string;
  constructor(resourceId: string) {
    super('asked before');
    this.resourceId = resourceId;
  }
}

/** The key was used with another request before. */
export class KeyReused extends Error {}

/** A use of an idempotency key, with its caller and request. */
export interface KeyedRequest {
  /** Part of the key: keys of different callers are independent. */
  caller: string;
  /** Part of the key. */
  operation: string;
  idempotencyKey: string;
  /** The request as JSON values. */
  input: unknown;
}

/** A caller's idempotency key for a pending request. */
export interface KeyClaim {
  /**
   * Claims the key in the transaction of the change: of concurrent requests with one key, one makes the change, and
   * the others wait for it.
   * @throws Repeated, KeyReused: nothing is to be done
   */
  hold(tx: Transaction, tenant: string, resourceId: string): Promise<void>;
}

export interface IdempotencyKeys {
  claim(request: KeyedRequest): KeyClaim;
}
