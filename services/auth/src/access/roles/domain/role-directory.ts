import type { IdPage, Transaction } from '@ostiary/service';
import type { GroupRoleHolderStore } from './group-role-holders.ts';
import type { GroupRoleStore } from './group-role-store.ts';
import type { GroupRoleRow, RoleSource } from './role-sources.ts';
import type { RoleStore } from './role-store.ts';

export interface RoleDirectoryPorts {
  sql: Transaction;
  roleStore: RoleStore;
  groupRoleStore: GroupRoleStore;
  groupRoleHolders: GroupRoleHolderStore;
}

/** Roles of users and groups outside of a transaction. */
export class RoleDirectory {
  readonly #o: RoleDirectoryPorts;

  constructor(o: RoleDirectoryPorts) {
    this.#o = o;
  }

  /** Returns the roles of many subjects, direct and through groups, by subject id. */
  of(tenant: string, subjectIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    return this.#o.roleStore.rolesOf(this.#o.sql, tenant, subjectIds);
  }

  sourcesOf(tenant: string, subjectIds: readonly string[]): Promise<RoleSource[]> {
    return this.#o.roleStore.roleSourcesOf(this.#o.sql, tenant, subjectIds);
  }

  ofGroups(tenant: string, groupIds: readonly string[]): Promise<GroupRoleRow[]> {
    return this.#o.groupRoleStore.rolesOfGroups(this.#o.sql, tenant, groupIds);
  }

  /** Returns a page of the users with a role, direct or through groups, in the order of ids. */
  holders(tenant: string, role: string, page: IdPage): Promise<{ id: string }[]> {
    return this.#o.roleStore.holdersOf(this.#o.sql, tenant, role, page);
  }

  countHolders(tenant: string, role: string): Promise<number> {
    return this.#o.roleStore.countHolders(this.#o.sql, tenant, role);
  }

  /** Returns a page of the groups that have a role, in the order of ids. */
  groupsWith(tenant: string, role: string, page: IdPage): Promise<{ id: string }[]> {
    return this.#o.groupRoleStore.groupsWithRole(this.#o.sql, tenant, role, page);
  }

  countGroupsWith(tenant: string, role: string): Promise<number> {
    return this.#o.groupRoleStore.countGroupsWithRole(this.#o.sql, tenant, role);
  }

  /** Returns every role of every user who has a role through this group. */
  ofHolders(tenant: string, groupId: string): Promise<string[]> {
    return this.#o.groupRoleHolders.rolesOfHolders(this.#o.sql, tenant, groupId);
  }

  /** Returns the roles of groups to which identity sources may add members. */
  givenBySources(tenant: string): Promise<string[]> {
    return this.#o.groupRoleStore.rolesGivenBySources(this.#o.sql, tenant);
  }
}
