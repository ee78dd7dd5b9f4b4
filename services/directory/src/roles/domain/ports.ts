import type { ResourceReader, Transactions } from '../../resources/index.ts';

/** A user, with the given groups that contain the user directly or through other groups. */
export interface EffectiveMember {
  id: string;
  groups: string[];
}

/** The scopes that membership of a group grants. */
export interface Privilege {
  groupId: string;
  /** The scopes that a caller who adds members must have. */
  scopes: string[];
  /** Whether identity sources may add members without these scopes. */
  managedBySources: boolean;
}

export interface StoredPrivilege extends Privilege {
  /** The scopes that a caller who changes identifiers of members must have. */
  identifyingScopes: string[];
}

/** Users, and groups with all their members, that can manage the resources of a group. */
export interface Managers {
  users: readonly string[];
  groups: readonly string[];
}

/** The members of groups, including nested groups. */
export interface EffectiveMemberStore {
  /** Returns the given users who are in any of the groups. */
  among(groupIds: readonly string[], userIds: readonly string[]): Promise<EffectiveMember[]>;
  /** Returns a page of the members of any of the groups, in the order of their ids. */
  page(
    groupIds: readonly string[],
    page: { after: string | undefined; limit: number },
  ): Promise<EffectiveMember[]>;
  /** Returns the groups that have an active member; with `managers`, one who is among them. */
  attended(groupIds: readonly string[], managers?: Managers): Promise<string[]>;
  /** Returns the ids that are groups. */
  groupsAmong(ids: readonly string[]): Promise<string[]>;
}

/** The groups that grant rights, inside a transaction. */
export interface PrivilegeStore {
  /**
   * Returns the privileges that a new member of one of these groups gets. Until the transaction ends no group becomes
   * privileged.
   */
  givenBy(groupIds: readonly string[]): Promise<Privilege[]>;
  /** Returns the scopes that identity sources can grant through the groups that they may manage. */
  givenBySources(): Promise<string[]>;
  /** Sets a group's privilege, unless a newer version is stored. */
  set(privilege: StoredPrivilege, version: number): Promise<void>;
}

/** The users who have a role. */
export interface RoleHolderStore {
  /** Returns the scopes required to assign all of the user's roles; none for a user without roles. */
  scopesOf(userId: string): Promise<string[]>;
  /** Sets the scopes of a user's own roles, unless a newer version is stored. */
  set(userId: string, scopes: readonly string[], version: number): Promise<void>;
}

export interface RoleTables {
  roleHolders: RoleHolderStore;
}

export interface PrivilegeTables {
  privileges: PrivilegeStore;
}

/** The part of a tenant's data that roles need. */
export interface RoleStore extends RoleTables, Transactions<PrivilegeTables & { groups: ResourceReader }> {
  readonly effective: EffectiveMemberStore;
}
