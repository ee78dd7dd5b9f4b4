import type { Actor, UserDeparture } from '@ostiary/events';
import type { IdPage } from '@ostiary/service';
import type { ChangeRecorder } from '../../audit/index.ts';
import type { DeletionStore, GroupNameTables, MembershipTables } from '../../groups/index.ts';
import type { Attributes, ResourceStore } from '../../resources/index.ts';
import type { PrivilegeTables, RoleHolderStore } from '../../roles/index.ts';
import type { ResourceType } from '../../schemas/index.ts';

/** A resource that was deleted and can still be restored. */
export interface DeletedResource {
  id: string;
  type: ResourceType;
  data: Attributes;
  externalIds: Record<string, string>;
  /** Of the deletion. */
  version: number;
  createdAt: Date;
  deletedAt: Date;
  restorableUntil: Date;
  actor: Actor;
  /** The absence of a deleted user began with this change: its deletion, or a deactivation before it. Null for a group. */
  departure: UserDeparture | null;
  groupIds: string[];
  memberIds: string[];
}

/** Deleted resources of one tenant, for reading. */
export interface DeletedResourceReader {
  /** In the order of their ids, those that can still be restored. */
  page(type: ResourceType, page: IdPage & { now: Date }): Promise<DeletedResource[]>;
  count(type: ResourceType, now: Date): Promise<number>;
}

/** The same inside a transaction, with changes. */
export interface DeletedResourceStore extends DeletedResourceReader, DeletionStore {
  /** Holds a deleted resource until the transaction ends. */
  lock(type: ResourceType, id: string): Promise<DeletedResource | undefined>;
  forget(id: string): Promise<void>;
  /** Puts a restored user or group back into groups, whose rows are locked. */
  rejoin(type: ResourceType, id: string, groupIds: readonly string[], at: Date): Promise<void>;
}

/** What restoring and purging need inside a transaction. */
export interface RecyclingTables extends MembershipTables, GroupNameTables, PrivilegeTables, ChangeRecorder {
  users: ResourceStore;
  roleHolders: Pick<RoleHolderStore, 'scopesOf'>;
  deleted: DeletedResourceStore;
}

/** What recycling needs of one tenant's data. */
export interface RecyclingStore {
  readonly tenant: string;
  readonly deleted: DeletedResourceReader;
  /** Runs `work` in one transaction; it may run again after a deadlock. */
  change<T>(work: (tables: RecyclingTables) => Promise<T>): Promise<T>;
}
