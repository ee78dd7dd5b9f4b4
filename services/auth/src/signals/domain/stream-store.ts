import type { Transaction } from '@ostiary/service';
import type { Receiver } from './delivery.ts';

/** Whose stream it is. */
export interface StreamOwner {
  tenant: string;
  clientId: string;
}

/** A subject about which a receiver wants no events. */
export interface Exclusion {
  kind: 'user' | 'group';
  id: string;
}

/** What is kept of streams beside what all receivers have. */
export interface StreamStore {
  /** A stream of this client; `lock` keeps everybody else from changing it. */
  find(
    tx: Transaction,
    owner: StreamOwner,
    id: string,
    o?: { lock?: boolean },
  ): Promise<Receiver | undefined>;
  /** All streams of a client, in the order they were made. */
  list(tx: Transaction, owner: StreamOwner): Promise<Receiver[]>;
  /** How many streams a client has, with the tenant's receivers locked until the transaction ends. */
  count(tx: Transaction, owner: StreamOwner): Promise<number>;
  /** Notes a verification request; false when the last one was less than so many seconds ago. Of parallel ones a single one is noted. */
  noteVerification(
    tx: Transaction,
    stream: Pick<Receiver, 'tenant' | 'id'>,
    seconds: number,
  ): Promise<boolean>;
  /** Excludes a subject unless `most` are excluded already; then false. To exclude one again changes nothing. */
  exclude(
    tx: Transaction,
    stream: Pick<Receiver, 'tenant' | 'id'>,
    subject: Exclusion,
    most: number,
  ): Promise<boolean>;
  include(tx: Transaction, stream: Pick<Receiver, 'tenant' | 'id'>, subject: Exclusion): Promise<void>;
}

/** What this service knows of the users that streams carry events about. */
export interface SignalSubjects {
  /** Whether a user has left since a version of theirs, and not come back, as far as this service has heard. */
  hasLeftSince(tenant: string, subjectId: string, version: string | null): Promise<boolean>;
  /** A user's address when this service last heard of them; undefined for one who has none, or is gone. */
  addressOf(tenant: string, subjectId: string): Promise<string | undefined>;
}

/** The address marked as primary, or the first. */
export function primaryAddress(emails: unknown): string | undefined {
  if (!Array.isArray(emails)) return undefined;
  const known = emails.filter(
    (email): email is { value: string; primary?: boolean } => typeof email?.value === 'string',
  );
  return (known.find(({ primary }) => primary) ?? known[0])?.value;
}

/**
 * The id of the one user of a tenant with this e-mail address; undefined when there is none, or more than one.
 * @throws ServiceUnavailable when the directory doesn't say
 */
export type AddressOwners = (tenant: string, email: string) => Promise<string | undefined>;
