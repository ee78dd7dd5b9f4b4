import type { Claim } from '@ostiary/database';

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
