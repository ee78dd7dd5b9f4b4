import type { Actor, UserDeparture } from '@ostiary/events';
import type { IdPage } from '@ostiary/service';
import type { ChangeRecorder } from '../../audit/index.ts';
import type { DeletionStore, GroupNameTables, MembershipTables } from '../../groups/index.ts';
import type { Attributes, ResourceStore, Transactions } from '../../resources/index.ts';
import type { PrivilegeTables, RoleTables } from '../../roles/index.ts';
import type { ResourceType } from '../../schemas/index.ts';

/** A deleted resource that can still be restored. */
export interface DeletedResource {
  id: string;
  type: ResourceType;
  data: Attributes;
  externalIds: Record<string, string>;
  /** Version of the deletion. */
  version: number;
  createdAt: Date;
  deletedAt: Date;
  restorableUntil: Date;
  actor: Actor;
  /**
   * The change with which the absence of a deleted user began: its deletion, or an earlier deactivation. Null for a
   * group.
   */
  departure: UserDeparture | null;
  groupIds: string[];
  memberIds: string[];
}

/** Deleted resources of one tenant, for reading. */
export interface DeletedResourceReader {
  /** Returns a page of the resources that can still be restored, in the order of their ids. */
  page(type: ResourceType, page: IdPage & { now: Date }): Promise<DeletedResource[]>;
  count(type: ResourceType, now: Date): Promise<number>;
}

/** The deleted resources inside a transaction, with changes. */
export interface DeletedResourceStore extends DeletedResourceReader, DeletionStore {
  /** Locks a deleted resource until the transaction ends. */
  lock(type: ResourceType, id: string): Promise<DeletedResource | undefined>;
  forget(id: string): Promise<void>;
  /** Adds a restored user or group to its former groups, whose rows are locked. */
  rejoin(type: ResourceType, id: string, groupIds: readonly string[], at: Date): Promise<void>;
}

/** The tables that restoring and purging need inside a transaction. */
export interface RecyclingTables
  extends MembershipTables,
    GroupNameTables,
    PrivilegeTables,
    RoleTables,
    ChangeRecorder {
  users: ResourceStore;
  deleted: DeletedResourceStore;
}

/** The part of a tenant's data that recycling needs. */
export interface RecyclingStore extends Transactions<RecyclingTables> {
  readonly deleted: DeletedResourceReader;
}
