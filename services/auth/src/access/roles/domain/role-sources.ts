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
