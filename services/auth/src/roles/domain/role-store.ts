import type { Transaction } from '@ostiary/service';
import type { RoleSource } from './role-sources.ts';

/** The roles of people, by themselves and through groups. */
export interface RoleStore {
  /** Gives a role. False when the subject had it. */
  assignRole(tx: Transaction, tenant: string, subjectId: string, role: string): Promise<boolean>;
  /** Takes a role away. False when the subject didn't have it. */
  removeRole(sql: Transaction, tenant: string, subjectId: string, role: string): Promise<boolean>;
  /** The roles of many subjects, by themselves and through groups, in one statement; by subject id. */
  rolesOf(
    sql: Transaction,
    tenant: string,
    subjectIds: readonly string[],
  ): Promise<ReadonlyMap<string, string[]>>;
  /** Where many subjects have their roles from, in one statement. */
  roleSourcesOf(sql: Transaction, tenant: string, subjectIds: readonly string[]): Promise<RoleSource[]>;
}

/** Everybody who has a role. */
export interface AdministratorStore {
  /** Who has a role in a tenant: people by themselves, and groups with everybody in them. */
  administratorsOf(sql: Transaction, tenant: string): Promise<{ subjects: string[]; groups: string[] }>;
}
