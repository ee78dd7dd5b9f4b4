import type { Transaction } from '@ostiary/service';

/** Declared as a method, so that what the data layer makes, which knows more of the transaction, is one. */
interface IdempotencyKey {
  claim(tx: Transaction, tenant: string, resourceId: string): Promise<void>;
}

/**
 * Holds the caller's idempotency key for what is about to be done, in the transaction that does it: of any number of requests with one
 * key, one does something, and the others wait for it. It throws where nothing is to be done.
 */
export type Claim = IdempotencyKey['claim'];

/** On what terms a change is asked for. */
export interface ChangeTerms {
  /** The version it is based on; undefined when whoever asks doesn't care. */
  version?: number | undefined;
  /** Of an idempotency key: made in the transaction of the change, for what is changed. */
  claim?: Claim | undefined;
}

/** The thing is at another version than the change is based on. */
export class VersionChanged extends Error {
  readonly currentVersion: number;
  constructor(currentVersion: number) {
    super('changed meanwhile');
    this.currentVersion = currentVersion;
  }
}

/**
 * Refuses a change that is based on an older state than the one it would overwrite. Ask with the thing's row locked, or two
 * changes of one version both pass.
 * @throws VersionChanged
 */
export function requireVersion({ version }: ChangeTerms, current: number): void {
  if (version !== undefined && version !== current) throw new VersionChanged(current);
}
