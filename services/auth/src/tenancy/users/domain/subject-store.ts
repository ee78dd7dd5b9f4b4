import type { Transaction } from '@ostiary/service';
import type { Subject, SubjectProfile } from './subject.ts';

/** Stored state of a subject, with the versions that order events about it. */
export interface SubjectState {
  active: boolean;
  deleted: boolean;
  version: bigint;
  /** Every offboarding up to this version of the user has been carried out. */
  departedVersion: bigint;
  /** Version of the latest offboarding that has a report; 0 if there is none. */
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

/** Finds users with their roles. */
export interface SubjectLookup {
  /** Returns a stored user of the tenant; undefined for a deleted one. */
  find(tx: Transaction, tenant: string, id: string): Promise<Subject | undefined>;
  /** Returns the users with one of these user name keys, which the directory alone may distinguish. */
  findByUserName(tx: Transaction, tenant: string, keys: readonly string[]): Promise<Subject[]>;
}

/** Stores the users of every tenant. */
export interface SubjectStore {
  /** Reports whether the id is stored, deleted or not. */
  knows(tx: Transaction, tenant: string, id: string): Promise<boolean>;
  /** Returns those of the users that are stored as inactive or deleted, as `tenant/id`. */
  storedAsGone(
    tx: Transaction,
    people: readonly { tenant: string; subject: string }[],
  ): Promise<ReadonlySet<string>>;
  /**
   * Locks a subject against everything that creates sessions or grants for it, and creates it if it is missing.
   * `created` reports that it was created, with the given fields.
   */
  lock(
    tx: Transaction,
    tenant: string,
    id: string,
    initial: SubjectFields,
  ): Promise<{ state: SubjectState; created: boolean }>;
  /**
   * Locks an active user against offboarding, and serializes issuing that counts against a limit, until the end of the
   * transaction. Returns the epoch; undefined if the user does not exist or is inactive.
   */
  lockForIssuing(tx: Transaction, tenant: string, id: string): Promise<number | undefined>;
  /** Locks a user, active or not, so that no invitation or token is issued concurrently. */
  hold(tx: Transaction, tenant: string, id: string): Promise<void>;
  /** Replaces the stored fields of a subject. The caller holds its lock and has compared versions. */
  store(tx: Transaction, tenant: string, id: string, fields: SubjectFields): Promise<void>;
  /** Stores distinct active users, each unless a newer version is stored. */
  storePresent(
    tx: Transaction,
    people: readonly { tenant: string; id: string; version: bigint; profile: SubjectProfile }[],
  ): Promise<void>;
  /** Records the version up to which offboardings are carried out, and the latest reported one. */
  noteDeparted(
    tx: Transaction,
    tenant: string,
    id: string,
    versions: Pick<SubjectState, 'departedVersion' | 'reportedVersion'>,
  ): Promise<void>;
  /** Increments the epoch of the subject, which revokes everything issued before; returns the new epoch. */
  nextEpoch(tx: Transaction, tenant: string, id: string): Promise<number>;
  /** Deletes everything with which a permanently deleted user could sign in or act again. */
  forget(tx: Transaction, tenant: string, id: string): Promise<void>;
}
