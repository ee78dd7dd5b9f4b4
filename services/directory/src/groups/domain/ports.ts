import type { Actor, UserDeparture } from '@ostiary/events';
import type { ChangeRecorder } from '../../audit/index.ts';
import type { ProtectionTables } from '../../protection/index.ts';
import type { ResourceStore, ResourcesStore, Transactions } from '../../resources/index.ts';
import type { PrivilegeTables, RoleTables } from '../../roles/index.ts';
import type { ResourceType } from '../../schemas/index.ts';
import type { GroupNameTables } from './group-names.ts';
import type { MembershipReader, MembershipStore } from './memberships.ts';

/** The tables that a change of memberships needs inside a transaction. */
export interface MembershipTables extends ChangeRecorder {
  memberships: MembershipStore;
  groups: ResourceStore;
}

/** The tables that a change of groups needs inside a transaction. */
export interface GroupTables
  extends MembershipTables,
    ProtectionTables,
    PrivilegeTables,
    RoleTables,
    Omit<GroupNameTables, 'settings'> {
  settings: GroupNameTables['settings'] & { schemasVersion(): Promise<number> };
  deleted: DeletionStore;
}

/** Keeps deleted resources, where the tenant's policy requires it. */
export interface DeletionStore {
  /**
   * Keeps a resource that is about to be deleted, with its groups and its members. The caller holds its lock, and
   * removes it from its groups afterwards.
   * @returns the end of the period in which it can be restored; undefined when it is deleted permanently
   */
  keep(
    type: ResourceType,
    id: string,
    deletion: { version: number; at: Date; actor: Actor; departure?: UserDeparture | undefined },
  ): Promise<Date | undefined>;
}

/** The part of a tenant's data that groups need. */
export interface GroupStore extends ResourcesStore, Transactions<GroupTables> {
  readonly memberships: MembershipReader;
}
