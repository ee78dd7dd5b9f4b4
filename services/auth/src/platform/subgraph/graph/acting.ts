import type { GraphContext } from '@ostiary/graph';

/** Decides whether a caller may act on a user, by the roles of both. */
export interface ActingRules {
  /**
   * Rejects changes to the sign-in of a user with a role unless the caller could assign each of the roles or is that
   * user: help desks cannot lock out administrators.
   * @throws FORBIDDEN
   */
  requireMayActOn(context: GraphContext<unknown>, subjectId: string): Promise<void>;
  /**
   * Rejects removing a role from all members of a group unless the caller could assign each role of each member.
   * @throws FORBIDDEN
   */
  requireMayActOnHolders(context: GraphContext<unknown>, groupId: string): Promise<void>;
}

export interface ActingDependencies {
  acting: ActingRules;
}
