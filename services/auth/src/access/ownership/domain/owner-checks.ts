import type { Actor } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';

export interface OwnedCredential {
  kind: string;
  id: string;
}

/** Scope with which a group's objects are managed. */
export type OwningScope = 'clients:write' | 'connectors:write';

/** Group that owns objects or knows a secret, and the scopes with which those are managed. */
export interface OwningGroup {
  id: string;
  scopes: OwningScope[];
}

/** Stores pending questions to the directory about owning groups. */
export interface OwnerCheckStore {
  /** Records that the directory has to be asked which owning groups of a tenant have lost their last active member. */
  addOwnerCheck(tx: Transaction, tenant: string, actor: Actor): Promise<void>;
  /**
   * Returns the pending checks of a tenant and the actors that caused them. Checks recorded later need another
   * question.
   */
  dueOwnerChecks(sql: Transaction, tenant: string): Promise<{ ids: string[]; actors: Actor[] }>;
  finishOwnerChecks(sql: Transaction, tenant: string, ids: readonly string[]): Promise<void>;
  /** Returns tenants with pending checks, those with the oldest first. */
  tenantsWithOwnerChecks(sql: Transaction, limit: number): Promise<string[]>;
  managersOf(
    sql: Transaction,
    tenant: string,
    roles: readonly string[],
  ): Promise<{ users: string[]; groups: string[] }>;
  /** Returns the tenants in which a group owns anything. */
  tenantsWithGroupOwners(sql: Transaction, tenants: readonly string[]): Promise<string[]>;
  /** Returns the groups that own anything or know a secret; with `among` only those of these groups. */
  groupOwners(sql: Transaction, tenant: string, among?: readonly string[]): Promise<OwningGroup[]>;
  ownedByGroup(tx: Transaction, tenant: string, groupId: string): Promise<OwnedCredential[]>;
  /** Removes a group as owner of these objects, which then have no owner. */
  forgetGroupOwner(
    tx: Transaction,
    tenant: string,
    groupId: string,
    owned: readonly OwnedCredential[],
  ): Promise<void>;
}
