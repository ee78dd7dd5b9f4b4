import { keptUntil, type Revocation, type RevocationPage } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { TenantJournal } from './revocation-log.ts';

export type NewRevocation = Omit<Revocation, 'seq'>;

export interface RevocationFeed {
  /** Appends to the durable feed in the caller's transaction; returns the entries for `publish` after the commit. */
  append(tx: Transaction, entries: readonly NewRevocation[], reason?: string): Promise<Revocation[]>;
  /**
   * Applies entries to this process's list and pushes them on the stream, after the commit. Never throws; returns false
   * if verifiers have to pull.
   */
  publish(entries: readonly Revocation[]): Promise<boolean>;
}

export interface RevocationJournal extends RevocationFeed, TenantJournal {
  /**
   * Returns a page of the durable feed after a cursor; from the beginning without one. The page must be complete, so it
   * is rejected while offboarding events may be missing here. @throws ServiceUnavailable
   */
  page(after?: string): Promise<RevocationPage>;
  /**
   * Sends the end of the feed on the stream, so that verifiers detect missed entries. @param maxSeq last sequence
   * number read
   */
  heartbeat(maxSeq: string): Promise<void>;
}

/** Returns the Unix time in seconds until which a revocation of tokens issued now is kept. */
export const revocationExpiry = (accessTokenSeconds: number): number =>
  keptUntil(Math.ceil(Date.now() / 1000) + accessTokenSeconds);
