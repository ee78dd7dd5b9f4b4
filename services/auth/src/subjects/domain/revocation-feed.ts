import { keptUntil, type Revocation, type RevocationPage } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';

export type NewRevocation = Omit<Revocation, 'seq'>;

export interface RevocationFeed {
  /** Appends to the durable feed in the caller's transaction; returns what `publish` takes after the commit. */
  append(tx: Transaction, entries: readonly NewRevocation[], reason?: string): Promise<Revocation[]>;
  /**
   * After the commit: applies to this process's list and pushes on the stream. Never throws; false when verifiers will have to
   * pull.
   */
  publish(entries: readonly Revocation[]): Promise<boolean>;
}

export interface RevocationJournal extends RevocationFeed {
  /**
   * A page of the durable feed from a cursor on; from the beginning without one. Who reads it may rely on it, so there is none
   * while there may be departures that nobody here has heard of. @throws ServiceUnavailable
   */
  page(after?: string): Promise<RevocationPage>;
  /** Tells verifiers on the stream how far the feed goes, so that they notice what they missed. @param maxSeq as it was last read */
  heartbeat(maxSeq: string): Promise<void>;
}

/** Unix seconds until which a revocation of tokens that may be issued right now is kept. */
export const revocationExpiry = (accessTokenSeconds: number): number =>
  keptUntil(Math.ceil(Date.now() / 1000) + accessTokenSeconds);
