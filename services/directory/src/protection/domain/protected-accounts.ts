/** Accounts that a caller must not touch: these users, and all members of these groups. */
export interface ProtectedAccounts {
  users: readonly string[];
  groups: readonly string[];
  /** Whether role holders are among them, as far as is known here. */
  roleHolders?: boolean;
}

/** What a change of a group's members comes to, before it is known who its members are. */
export interface PlannedMembers {
  exclusive: boolean;
  add: ReadonlySet<string>;
  remove: ReadonlySet<string>;
}

/** Whether a change would touch protected accounts of the tenant; one statement each. */
export interface ProtectedAccountsCheck {
  /** A user, or a group with all its members. */
  resource(accounts: ProtectedAccounts, id: string): Promise<boolean>;
  /** A group itself, whatever its members are. */
  group(accounts: ProtectedAccounts, id: string): Promise<boolean>;
  /** Users and groups that would come into a group or leave it; the group's row is locked. */
  members(accounts: ProtectedAccounts, groupId: string, planned: PlannedMembers): Promise<boolean>;
}
