import type { Transaction } from '@ostiary/service';
import type { GroupRoleRow } from './role-sources.ts';

/** The roles of groups, and what the directory was told of them. */
export interface GroupRoleStore {
  /** Locks a group against other changes of its roles until the transaction ends. The caller is about to tell the directory. */
  lockPrivilegedGroup(tx: Transaction, tenant: string, groupId: string): Promise<void>;
  /**
   * The next version of what the directory is told about a group. The caller holds the group's lock, so that the order of versions
   * is the order of changes; one that was rolled back is never used again.
   */
  nextPrivilegeVersion(tx: Transaction): Promise<number>;
  /** Notes that the directory knows what the group gives; one that gives nothing is forgotten. */
  notePrivilegeNotified(tx: Transaction, tenant: string, groupId: string): Promise<void>;
  /** Groups of which the directory has yet to be told. */
  untoldGroups(sql: Transaction, limit: number): Promise<{ tenant: string; groupId: string }[]>;
  /** How many groups of a tenant have a role. */
  countGroupsWithRoles(sql: Transaction, tenant: string): Promise<number>;
  /** The roles of the groups to which identity sources may add. */
  rolesGivenBySources(sql: Transaction, tenant: string): Promise<string[]>;
  /** Gives a group a role, or changes who may manage it. False when that is how it was. */
  assignGroupRole(tx: Transaction, tenant: string, o: Omit<GroupRoleRow, 'createdAt'>): Promise<boolean>;
  /** Takes a role from a group; every role without one named. @returns the roles it had of these */
  removeGroupRoles(tx: Transaction, tenant: string, groupId: string, role?: string): Promise<string[]>;
  /** The roles of groups, in one statement. */
  rolesOfGroups(sql: Transaction, tenant: string, groupIds: readonly string[]): Promise<GroupRoleRow[]>;
  /** The groups of a tenant that have roles. */
  groupsWithRoles(sql: Transaction, tenant: string): Promise<string[]>;
  /** Which of these tenants have groups with roles. */
  tenantsWithGroupRoles(sql: Transaction, tenants: readonly string[]): Promise<string[]>;
  /** The roles of a tenant's groups. With `lock`, none of them is taken away before the transaction ends. */
  groupRolesOf(tx: Transaction, tenant: string, o?: { lock?: boolean }): Promise<GroupRoleRow[]>;
}
