/** A way in of a user, as a role may not be carried by it. */
export type WayIn = 'password' | 'passkey' | 'authenticator_app' | 'recovery_codes' | 'trusted_issuer';

/** A role of somebody, and where they have it from. */
export interface RoleSource {
  subjectId: string;
  role: string;
  /** It was given to themselves. */
  direct: boolean;
  /** The groups through which they have it. */
  groupIds: string[];
  /** The user's ways in after which it does not count: a caller who could not give it set them. */
  notCarriedBy: WayIn[];
}

/** A role that everybody in a group has. */
export interface GroupRoleRow {
  groupId: string;
  role: string;
  /** Whether identity sources may add to the group, and so give the role. */
  managedBySources: boolean;
  createdAt: Date;
}

/** Who has which roles, and where from. */
export interface RoleDirectory {
  /** The roles of many subjects, by themselves and through groups; by subject id. */
  of(tenant: string, subjectIds: readonly string[]): Promise<ReadonlyMap<string, string[]>>;
  sourcesOf(tenant: string, subjectIds: readonly string[]): Promise<RoleSource[]>;
  ofGroups(tenant: string, groupIds: readonly string[]): Promise<GroupRoleRow[]>;
  /** Every role that anybody has through this group. */
  ofHolders(tenant: string, groupId: string): Promise<string[]>;
  /** The roles of groups that identity sources may add to. */
  givenBySources(tenant: string): Promise<string[]>;
}
