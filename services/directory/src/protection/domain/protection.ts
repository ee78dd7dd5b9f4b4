import { ScimError } from '@ostiary/scim';
import type { MemberPlan } from '../../groups/domain/member-plan.ts';
import type { Origin } from '../../resources/domain/commands.ts';
import type { RoleHolders } from '../../roles/data/role-holders.ts';
import type { ProtectedAccountsCheck } from '../data/protected-accounts.ts';

interface Tables {
  protectedAccounts: ProtectedAccountsCheck;
}

/**
 * Refuses a change of a user, or the deletion of a group, that whoever makes it must not touch. Asked with the change, and
 * again with each attempt, so that an account which is protected in the meantime is protected.
 * @throws ScimError 403; the same for a listed account and for one that is protected through a group
 */
export async function mustNotTouch(
  { protectedAccounts, roleHolders }: Tables & { roleHolders: Pick<RoleHolders, 'scopesOf'> },
  { protects }: Origin,
  id: string,
): Promise<void> {
  if (!protects) return;
  if (await protectedAccounts.resource(protects, id)) throw isProtected();
  if (protects.roleHolders && (await roleHolders.scopesOf(id)).length > 0) throw isProtected();
}

/** The same for a group whose attributes change. @throws ScimError 403 */
export async function mustNotTouchGroup(
  { protectedAccounts }: Tables,
  { protects }: Origin,
  id: string,
): Promise<void> {
  if (protects && (await protectedAccounts.group(protects, id))) throw isProtected();
}

/**
 * Refuses a change of members by which a protected account would come into the group or leave it. Who is in it already
 * may be named: then nothing changes for them.
 * @throws ScimError 403
 */
export async function mustNotTouchMembers(
  { protectedAccounts }: Tables,
  { protects }: Origin,
  groupId: string,
  plan: MemberPlan,
): Promise<void> {
  if (protects && (await protectedAccounts.members(protects, groupId, plan))) {
    throw ScimError.forbidden(
      'The change of members concerns a protected account, which this identity source must not touch.',
    );
  }
}

const isProtected = (): ScimError =>
  ScimError.forbidden('This account is protected: this identity source must not change or delete it.');
