import type { GraphContext } from '@ostiary/graph';

/** Whom a caller may act on, by the roles of both. */
export interface ActingRules {
  /**
   * Refuses what touches the sign-in of a user with a role to everybody who could not give it, except the user themselves: help desks
   * can't shut administrators out.
   * @throws FORBIDDEN
   */
  requireMayActOn(context: GraphContext<unknown>, subjectId: string): Promise<void>;
  /**
   * Refuses what takes a role from everybody in a group to who could not give each role that any of them has.
   * @throws FORBIDDEN
   */
  requireMayActOnHolders(context: GraphContext<unknown>, groupId: string): Promise<void>;
}

export interface ActingDependencies {
  acting: ActingRules;
}
