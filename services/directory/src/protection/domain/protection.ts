import { ScimError } from '@ostiary/scim';
import type { PlannedMembers, ProtectedAccounts, ProtectedAccountsCheck } from './protected-accounts.ts';

interface Caller {
  /** Accounts that the caller must not change. */
  protects?: ProtectedAccounts;
}

export interface ProtectionTables {
  protectedAccounts: ProtectedAccountsCheck;
}

/** The roles of a user, direct and through groups. */
interface Roles {
  scopesOf(userId: string): Promise<string[]>;
}

/**
 * Rejects a change of a user, or the deletion of a group, that the caller must not change. Checked in the transaction
 * of the change and again with each attempt, so that newly protected accounts count.
 * @throws ScimError 403; the same for a listed account and for one that is protected through a group
 */
export async function mustNotTouch(
  { protectedAccounts, roleHolders }: ProtectionTables & { roleHolders: Roles },
  { protects }: Caller,
  id: string,
): Promise<void> {
  if (!protects) return;
  if (await protectedAccounts.resource(protects, id)) throw isProtected();
  if (protects.roleHolders && (await roleHolders.scopesOf(id)).length > 0) throw isProtected();
}

/** Rejects a change of a protected group's attributes. @throws ScimError 403 */
export async function mustNotTouchGroup(
  { protectedAccounts }: ProtectionTables,
  { protects }: Caller,
  id: string,
): Promise<void> {
  if (protects && (await protectedAccounts.group(protects, id))) throw isProtected();
}

/**
 * Rejects a change of members by which a protected account would enter or leave the group. An account that is a
 * member already may be named, because nothing changes for it.
 * @throws ScimError 403
 */
export async function mustNotTouchMembers(
  { protectedAccounts }: ProtectionTables,
  { protects }: Caller,
  groupId: string,
  plan: PlannedMembers,
): Promise<void> {
  if (protects && (await protectedAccounts.members(protects, groupId, plan))) {
    throw ScimError.forbidden(
      'The membership change affects a protected account, which this identity source must not change.',
    );
  }
}

const isProtected = (): ScimError =>
  ScimError.forbidden('This account is protected: this identity source must not change or delete it.');
