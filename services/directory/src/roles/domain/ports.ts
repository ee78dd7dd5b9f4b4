/** A user, and in which of the groups asked about they are: directly, or through groups in them. */
export interface EffectiveMember {
  id: string;
  groups: string[];
}

/** What a group gives its members, as far as callers that add members are concerned. */
export interface Privilege {
  groupId: string;
  /** The scopes that a caller who adds members must have. */
  scopes: string[];
  /** Whether identity sources may add members without. */
  managedBySources: boolean;
}

/** Users, and groups with all their members, that could manage what a group owns. */
export interface Managers {
  users: readonly string[];
  groups: readonly string[];
}

/** The members of groups, nested groups included. */
export interface EffectiveMemberStore {
  /** Those of these users who are in any of the groups. */
  among(groupIds: readonly string[], userIds: readonly string[]): Promise<EffectiveMember[]>;
  /** All members of any of the groups, in the order of their ids: those after an id, and how many. */
  page(
    groupIds: readonly string[],
    page: { after: string | undefined; limit: number },
  ): Promise<EffectiveMember[]>;
  /** Those of the groups that have an active member, who is among the managers if there are any given. */
  attended(groupIds: readonly string[], managers?: Managers): Promise<string[]>;
  /** Those of these ids that are groups. */
  groupsAmong(ids: readonly string[]): Promise<string[]>;
}

/** Which groups give rights, inside a transaction. */
export interface PrivilegeStore {
  /** What a new member of one of these groups is given. Until the transaction ends no other group becomes privileged. */
  givenBy(groupIds: readonly string[]): Promise<Privilege[]>;
  /** What identity sources can give by adding to groups that they may manage, in scopes. */
  givenBySources(): Promise<string[]>;
  /** Notes what a group gives, unless something newer is known. */
  set(privilege: Privilege, version: number): Promise<void>;
}

/** Which users have a role. */
export interface RoleHolderStore {
  /** The scopes that giving this user all their roles needs; nothing when they have none. */
  scopesOf(userId: string): Promise<string[]>;
  /** Notes the scopes of a user's own roles, unless something newer is known. */
  set(userId: string, scopes: readonly string[], version: number): Promise<void>;
}

export interface PrivilegeTables {
  privileges: PrivilegeStore;
}

/** What roles need of one tenant's data. */
export interface RoleStore {
  readonly effective: EffectiveMemberStore;
  readonly roleHolders: RoleHolderStore;
  change<T>(
    work: (
      tables: PrivilegeTables & { groups: { find(id: string): Promise<object | undefined> } },
    ) => Promise<T>,
  ): Promise<T>;
}
