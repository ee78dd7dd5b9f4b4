import type { Transaction } from '@ostiary/service';
import type { Subject, SubjectProfile } from './subject.ts';

/** A row of the projection: the subject, and what orders the events about it. */
export interface SubjectState {
  active: boolean;
  deleted: boolean;
  version: bigint;
  /** Every departure up to this version of the user has been carried out. */
  departedVersion: bigint;
  /** Version of the latest departure that has a report; 0 when there is none. */
  reportedVersion: bigint;
  epoch: number;
}

export interface SubjectFields {
  active: boolean;
  deleted: boolean;
  version: bigint;
  departedVersion: bigint;
  reportedVersion: bigint;
  profile: SubjectProfile;
}

/** What is kept of the people of every tenant. Modules take the methods that they use. */
export interface SubjectStore {
  /** A person of this tenant as far as this service knows them; deleted ones are not found. */
  find(tx: Transaction, tenant: string, id: string): Promise<Subject | undefined>;
  /**
   * Those whose user names have one of these keys. More than one to a key for a moment, when a name was passed on and the events
   * arrive in another order, or for long, when they shared it from before.
   */
  findByUserName(tx: Transaction, tenant: string, keys: readonly string[]): Promise<Subject[]>;
  /** Whether this id is known at all, deleted or not. */
  knows(tx: Transaction, tenant: string, id: string): Promise<boolean>;
  /** Which of these people are stored as gone, as `tenant/id`. */
  storedAsGone(
    tx: Transaction,
    people: readonly { tenant: string; subject: string }[],
  ): Promise<ReadonlySet<string>>;
  /**
   * Locks a subject against everything that creates sessions or grants for it, making it first if there is none. `created` says that
   * it was just made, with the fields given.
   */
  lock(
    tx: Transaction,
    tenant: string,
    id: string,
    initial: SubjectFields,
  ): Promise<{ state: SubjectState; created: boolean }>;
  /**
   * Holds an active person against a departure, and against other issuing of the kind that is counted, until the transaction ends.
   * Their epoch; undefined when they aren't there or not active.
   */
  lockForIssuing(tx: Transaction, tenant: string, id: string): Promise<number | undefined>;
  /** Holds a person, active or not, against invitations and everything else that is issued. */
  hold(tx: Transaction, tenant: string, id: string): Promise<void>;
  /** Overwrites what is kept of a subject. The caller holds its lock and has compared versions. */
  store(tx: Transaction, tenant: string, id: string, fields: SubjectFields): Promise<void>;
  /** Writes people who are there and active, none of them twice, each unless something newer is known. */
  storePresent(
    tx: Transaction,
    people: readonly { tenant: string; id: string; version: bigint; profile: SubjectProfile }[],
  ): Promise<void>;
  /** Records up to which version departures are carried out, and which the latest reported one is. */
  noteDeparted(
    tx: Transaction,
    tenant: string,
    id: string,
    versions: Pick<SubjectState, 'departedVersion' | 'reportedVersion'>,
  ): Promise<void>;
  /** Counts one more revocation of everything issued to the subject; returns the new epoch. */
  nextEpoch(tx: Transaction, tenant: string, id: string): Promise<number>;
  /**
   * Counts that a person took back what they allowed a client, on what whoever redeems a code holds. False when there is no such
   * client.
   */
  countWithdrawal(tx: Transaction, tenant: string, id: string, clientId: string): Promise<boolean>;
  /** A person who is gone for good leaves nothing behind that they could come back with. */
  forget(tx: Transaction, tenant: string, id: string): Promise<void>;
}
