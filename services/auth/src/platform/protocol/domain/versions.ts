import type { Transaction } from '@ostiary/service';

/** A method, so that implementations of the data layer, which know more of the transaction, are assignable. */
interface IdempotencyKey {
  claim(tx: Transaction, tenant: string, resourceId: string): Promise<void>;
}

/**
 * Claims the caller's idempotency key for an operation, in its transaction: of parallel requests with one key, one
 * runs the operation and the others wait for it. Throws if the operation must not run.
 */
export type Claim = IdempotencyKey['claim'];

/** Conditions of a change. */
export interface ChangeTerms {
  /** Version on which the change is based; undefined for any version. */
  version?: number | undefined;
  /** Claim of the idempotency key, in the transaction of the change. */
  claim?: Claim | undefined;
}

/** The resource has another version than the change is based on. */
export class VersionChanged extends Error {
  readonly currentVersion: number;
  constructor(currentVersion: number) {
    super('changed meanwhile');
    this.currentVersion = currentVersion;
  }
}

/**
 * Rejects a change that is based on an older version. Call it with the row locked, because otherwise two changes of
 * one version both pass.
 * @throws VersionChanged
 */
export function requireVersion({ version }: ChangeTerms, current: number): void {
  if (version !== undefined && version !== current) throw new VersionChanged(current);
}
