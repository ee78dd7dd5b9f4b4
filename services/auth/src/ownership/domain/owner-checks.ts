import type { Actor } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';

/** Something that is owned. */
export interface OwnedCredential {
  kind: string;
  id: string;
}

/** Scope by which what a group owns is managed. */
export type OwningScope = 'clients:write' | 'connectors:write';

/** A group that owns something or knows a secret, and the scopes by which that is managed. */
export interface OwningGroup {
  id: string;
  scopes: OwningScope[];
}

/** Questions to the directory about groups that own something. */
export interface OwnerCheckStore {
  /** Notes that the directory has to be asked in which of a tenant's groups that own something nobody is left. */
  addOwnerCheck(tx: Transaction, tenant: string, actor: Actor): Promise<void>;
  /** Checks noted for a tenant, and who made them necessary; what is noted later needs a question of its own. */
  dueOwnerChecks(sql: Transaction, tenant: string): Promise<{ ids: string[]; actors: Actor[] }>;
  /** What was asked needs asking no more. */
  finishOwnerChecks(sql: Transaction, tenant: string, ids: readonly string[]): Promise<void>;
  /** Tenants for which something waits, those that have waited longest first. */
  tenantsWithOwnerChecks(sql: Transaction, limit: number): Promise<string[]>;
  /** Returns the users and groups that have one of the roles. */
  managersOf(
    sql: Transaction,
    tenant: string,
    roles: readonly string[],
  ): Promise<{ users: string[]; groups: string[] }>;
  /** Those of the tenants in which a group owns anything. */
  tenantsWithGroupOwners(sql: Transaction, tenants: readonly string[]): Promise<string[]>;
  /** Returns the groups that own anything or know a secret, or those of them that are named. */
  groupOwners(sql: Transaction, tenant: string, among?: readonly string[]): Promise<OwningGroup[]>;
  /** All that a group owns. */
  ownedByGroup(tx: Transaction, tenant: string, groupId: string): Promise<OwnedCredential[]>;
  /** Says that a group doesn't own these any more: they are nobody's until they are given to somebody. */
  forgetGroupOwner(
    tx: Transaction,
    tenant: string,
    groupId: string,
    owned: readonly OwnedCredential[],
  ): Promise<void>;
}
