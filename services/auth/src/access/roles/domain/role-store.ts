import type { IdPage, Transaction } from '@ostiary/service';
import type { RoleSource } from './role-sources.ts';

/** Stores roles of users, direct and through groups. */
export interface RoleStore {
  /** Assigns a role. Returns false if the subject had it. */
  assignRole(tx: Transaction, tenant: string, subjectId: string, role: string): Promise<boolean>;
  /** Removes a role. Returns false if the subject did not have it. */
  removeRole(sql: Transaction, tenant: string, subjectId: string, role: string): Promise<boolean>;
  /** Returns the roles of many subjects, direct and through groups, in one statement; by subject id. */
  rolesOf(
    sql: Transaction,
    tenant: string,
    subjectIds: readonly string[],
  ): Promise<ReadonlyMap<string, string[]>>;
  /** Returns the sources of the roles of many subjects, in one statement. */
  roleSourcesOf(sql: Transaction, tenant: string, subjectIds: readonly string[]): Promise<RoleSource[]>;
  /** Returns a page of the users with a role, direct or through groups, in the order of ids. */
  holdersOf(sql: Transaction, tenant: string, role: string, page: IdPage): Promise<{ id: string }[]>;
  countHolders(sql: Transaction, tenant: string, role: string): Promise<number>;
}

export interface AdministratorStore {
  /** Returns the role holders of a tenant: users with direct roles, and groups with all their members. */
  administratorsOf(sql: Transaction, tenant: string): Promise<{ subjects: string[]; groups: string[] }>;
}
