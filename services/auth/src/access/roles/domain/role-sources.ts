/** Sign-in method of a user that may not carry a role. */
export type WayIn = 'password' | 'passkey' | 'authenticator_app' | 'recovery_codes' | 'trusted_issuer';

export interface RoleSource {
  subjectId: string;
  role: string;
  direct: boolean;
  /** Groups through which the user has the role. */
  groupIds: string[];
  /**
   * Sign-in methods of the user after which the role does not apply, because a caller who could not assign the role set
   * them.
   */
  notCarriedBy: WayIn[];
}

/** Role of all members of a group. */
export interface GroupRoleRow {
  groupId: string;
  role: string;
  /** Whether identity sources may add members to the group, and so assign the role. */
  managedBySources: boolean;
  createdAt: Date;
}

export interface RoleDirectory {
  /** Returns the roles of many subjects, direct and through groups, by subject id. */
  of(tenant: string, subjectIds: readonly string[]): Promise<ReadonlyMap<string, string[]>>;
  sourcesOf(tenant: string, subjectIds: readonly string[]): Promise<RoleSource[]>;
  ofGroups(tenant: string, groupIds: readonly string[]): Promise<GroupRoleRow[]>;
  /** Returns every role of every user who has a role through this group. */
  ofHolders(tenant: string, groupId: string): Promise<string[]>;
  /** Returns the roles of groups to which identity sources may add members. */
  givenBySources(tenant: string): Promise<string[]>;
}
