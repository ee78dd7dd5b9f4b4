import type { Connection } from '../../../platform/database/data/connection.ts';
import type { GroupRoleRow, RoleDirectory, RoleSource } from '../domain/role-sources.ts';
import { rolesOfHolders } from './group-role-holders.ts';
import { rolesGivenBySources, rolesOfGroups } from './group-roles.ts';
import { roleSourcesOf, rolesOf } from './roles.ts';

/** @see RoleDirectory */
export class PostgresRoleDirectory implements RoleDirectory {
  readonly #sql: Connection;

  constructor(sql: Connection) {
    this.#sql = sql;
  }

  of(tenant: string, subjectIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    return rolesOf(this.#sql, tenant, subjectIds);
  }

  sourcesOf(tenant: string, subjectIds: readonly string[]): Promise<RoleSource[]> {
    return roleSourcesOf(this.#sql, tenant, subjectIds);
  }

  ofGroups(tenant: string, groupIds: readonly string[]): Promise<GroupRoleRow[]> {
    return rolesOfGroups(this.#sql, tenant, groupIds);
  }

  ofHolders(tenant: string, groupId: string): Promise<string[]> {
    return rolesOfHolders(this.#sql, tenant, groupId);
  }

  givenBySources(tenant: string): Promise<string[]> {
    return rolesGivenBySources(this.#sql, tenant);
  }
}
