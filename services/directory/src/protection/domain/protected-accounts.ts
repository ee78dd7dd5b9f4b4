/** Accounts that a caller must not change: these users, and all members of these groups. */
export interface ProtectedAccounts {
  users: readonly string[];
  groups: readonly string[];
  /** Whether role holders are among them, as far as the directory has their roles. */
  roleHolders?: boolean;
}

/** A planned change of a group's members, before they are looked up. */
export interface PlannedMembers {
  exclusive: boolean;
  add: ReadonlySet<string>;
  remove: ReadonlySet<string>;
}

/** Determines whether a change would affect protected accounts of the tenant, each in one statement. */
export interface ProtectedAccountsCheck {
  /** Reports whether a user, or a group with all its members, is protected. */
  resource(accounts: ProtectedAccounts, id: string): Promise<boolean>;
  /** Reports whether a group itself is protected, without its members. */
  group(accounts: ProtectedAccounts, id: string): Promise<boolean>;
  /** Reports whether a protected account would enter or leave the group; the group's row is locked. */
  members(accounts: ProtectedAccounts, groupId: string, planned: PlannedMembers): Promise<boolean>;
}
