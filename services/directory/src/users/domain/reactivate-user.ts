import { directSource } from '../../resources/index.ts';
import { mustBeAllowedToIdentify, mustBeAllowedToReactivate } from '../../roles/index.ts';
import type { EditedUser, UserGuards } from './edited-user.ts';
import { recordUser, type UserRecord } from './user-record.ts';

/**
 * Reactivates a user: SCIM PATCH and PUT of `active`, also in a Bulk, and the mutation `reactivateUser`. Other
 * attributes of the same request change in the same version. Access that the departure revoked stays revoked.
 * @throws ScimError 403 where the caller may not assign the user's roles
 */
export async function reactivateUser(tables: UserGuards, user: EditedUser): Promise<UserRecord> {
  const { before, content, command, now } = user;
  // The user has their roles again. An identity source may reactivate a user that it has provisioned.
  const { source = directSource } = command;
  if (source === directSource) await mustBeAllowedToReactivate(tables, before.id, command);
  else await mustBeAllowedToIdentify(tables, before, content, command);
  const after = { ...before, ...content, version: before.version + 1, updatedAt: now, departure: null };
  return recordUser('user.reactivated', after, user);
}
