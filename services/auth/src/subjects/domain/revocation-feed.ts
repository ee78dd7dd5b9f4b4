import type { Revocation } from '@ostiary/access';
import type { Sql } from '@ostiary/database';

export type NewRevocation = Omit<Revocation, 'seq'>;

export interface RevocationFeed {
  /** Appends to the durable feed in the caller's transaction; returns what `publish` takes after the commit. */
  append(tx: Sql, entries: readonly NewRevocation[], reason?: string): Promise<Revocation[]>;
  /**
   * After the commit: applies to this process's list and pushes on the stream. Never throws; false when verifiers will have to
   * pull.
   */
  publish(entries: readonly Revocation[]): Promise<boolean>;
}

/** Unix seconds until which a revocation is kept: the longest token life, and the clocks' disagreement. */
export const revocationExpiry = (accessTokenSeconds: number): number =>
  Math.ceil(Date.now() / 1000) + accessTokenSeconds + 300;
