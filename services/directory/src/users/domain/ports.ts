import type { ChangeRecorder } from '../../audit/index.ts';
import type { DeletionStore, GroupOfUser, MembershipReader, MembershipTables } from '../../groups/index.ts';
import type { ProtectedAccountsCheck, ProtectionTables } from '../../protection/index.ts';
import type {
  ResourceStore,
  ResourcesStore,
  ResourceWrite,
  StoredResource,
  Transactions,
} from '../../resources/index.ts';
import type { RoleTables } from '../../roles/index.ts';

export interface UserWithGroups {
  user: StoredResource;
  /** Direct and indirect ones, in the order of their names. */
  groups: Omit<GroupOfUser, 'userId'>[];
}

/** The users for one of whose addresses a source vouches. */
export interface VouchedEmailStore {
  /** Returns `limit` ids after an id, in order. */
  of(source: string, after: string | undefined, limit: number): Promise<string[]>;
}

/** The tables that a change of users needs inside a transaction. */
export interface UserTables extends MembershipTables, ProtectionTables, RoleTables, ChangeRecorder {
  users: ResourceStore;
  settings: { schemasVersion(): Promise<number> };
  deleted: DeletionStore;
}

/** The part of a tenant's data that users need. */
export interface UserStore extends ResourcesStore, Transactions<UserTables>, RoleTables {
  readonly memberships: MembershipReader;
  readonly protectedAccounts: ProtectedAccountsCheck;
  readonly vouchedEmailHolders: VouchedEmailStore;
  /** Returns a user and their groups, in one statement. @param id canonical UUID */
  userWithGroups(id: string): Promise<UserWithGroups | undefined>;
  /**
   * Writes one resource with its audit entry and event in one statement, which is a transaction of its own.
   * @returns false, and nothing is written, when the resource is not at the expected version
   */
  write(write: ResourceWrite): Promise<boolean>;
}
