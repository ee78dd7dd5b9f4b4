import type { Transaction } from '@ostiary/service';
import type { Receiver } from './delivery.ts';

/** Owner of a stream. */
export interface StreamOwner {
  tenant: string;
  clientId: string;
}

/** A subject excluded by a receiver. */
export interface Exclusion {
  kind: 'user' | 'group';
  id: string;
}

export interface StreamStore {
  /** Returns a stream of a client. `lock` locks its row. */
  find(
    tx: Transaction,
    owner: StreamOwner,
    id: string,
    o?: { lock?: boolean },
  ): Promise<Receiver | undefined>;
  /** Returns all streams of a client in order of creation. */
  list(tx: Transaction, owner: StreamOwner): Promise<Receiver[]>;
  /** Counts the streams of a client, with the tenant's receivers locked until the transaction ends. */
  count(tx: Transaction, owner: StreamOwner): Promise<number>;
  /**
   * Records a verification request. Returns false when the last one was less than `seconds` ago. Of concurrent
   * requests, one succeeds.
   */
  noteVerification(tx: Transaction, stream: Receiver, seconds: number): Promise<boolean>;
  /** Excludes a subject. Returns false when `most` subjects are already excluded. Repeating it has no effect. */
  exclude(tx: Transaction, stream: Receiver, subject: Exclusion, most: number): Promise<boolean>;
  include(tx: Transaction, stream: Receiver, subject: Exclusion): Promise<void>;
}

/** Users of events, as auth stores them. */
export interface SignalSubjects {
  /**
   * Reports whether a user was offboarded after a version of theirs and not reactivated, by the events that auth has
   * processed.
   */
  hasLeftSince(tenant: string, subjectId: string, version: string | null): Promise<boolean>;
  /**
   * Returns a user's e-mail address from the last event that auth processed; undefined without address, or for a
   * deleted user.
   */
  addressOf(tenant: string, subjectId: string): Promise<string | undefined>;
}

/** Returns the address marked as primary, or the first. */
export function primaryAddress(emails: unknown): string | undefined {
  if (!Array.isArray(emails)) return undefined;
  const known = emails.filter(
    (email): email is { value: string; primary?: boolean } => typeof email?.value === 'string',
  );
  return (known.find(({ primary }) => primary) ?? known[0])?.value;
}

/**
 * Returns the id of the only user of a tenant with this e-mail address; undefined for none or several.
 * @throws ServiceUnavailable when the directory does not respond
 */
export type AddressOwners = (tenant: string, email: string) => Promise<string | undefined>;
