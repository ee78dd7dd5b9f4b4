import type { IdPage, Transaction } from '@ostiary/service';
import type { GroupRoleRow } from './role-sources.ts';

/** Stores roles of groups and which of them the directory was notified of. */
export interface GroupRoleStore {
  /**
   * Locks a group against other changes of its roles until the end of the transaction. Runs before the directory is
   * notified.
   */
  lockPrivilegedGroup(tx: Transaction, tenant: string, groupId: string): Promise<void>;
  /**
   * Returns the version of the next notification about a group. The caller holds the group's lock, so that the order of
   * versions is the order of changes. A version that was rolled back is never used again.
   */
  nextPrivilegeVersion(tx: Transaction): Promise<number>;
  /** Records that the directory was notified of a group. A group without roles is deleted. */
  notePrivilegeNotified(tx: Transaction, tenant: string, groupId: string): Promise<void>;
  /** Returns groups of which the directory is not notified yet. */
  untoldGroups(sql: Transaction, limit: number): Promise<{ tenant: string; groupId: string }[]>;
  countGroupsWithRoles(sql: Transaction, tenant: string): Promise<number>;
  /** Returns the roles of the groups to which identity sources may add members. */
  rolesGivenBySources(sql: Transaction, tenant: string): Promise<string[]>;
  /** Assigns a role to a group, or changes whether identity sources manage it. Returns false if nothing changed. */
  assignGroupRole(tx: Transaction, tenant: string, o: Omit<GroupRoleRow, 'createdAt'>): Promise<boolean>;
  /** Removes a role from a group; all roles if none is named. @returns the removed roles */
  removeGroupRoles(tx: Transaction, tenant: string, groupId: string, role?: string): Promise<string[]>;
  rolesOfGroups(sql: Transaction, tenant: string, groupIds: readonly string[]): Promise<GroupRoleRow[]>;
  groupsWithRoles(sql: Transaction, tenant: string): Promise<string[]>;
  /** Returns a page of the groups that have this role, in the order of ids. */
  groupsWithRole(sql: Transaction, tenant: string, role: string, page: IdPage): Promise<{ id: string }[]>;
  countGroupsWithRole(sql: Transaction, tenant: string, role: string): Promise<number>;
  tenantsWithGroupRoles(sql: Transaction, tenants: readonly string[]): Promise<string[]>;
  /**
   * Returns the roles of a tenant's groups. With `lock`, none of them can be removed before the end of the transaction.
   */
  groupRolesOf(tx: Transaction, tenant: string, o?: { lock?: boolean }): Promise<GroupRoleRow[]>;
}
