import { mustBeAllowedToIdentify } from '../../roles/index.ts';
import type { EditedUser, UserGuards } from './edited-user.ts';
import { recordUser, type UserRecord } from './user-record.ts';

/**
 * Changes attributes of a user who stays active or inactive. An inactive user keeps their departure.
 * @throws ScimError 403 for identifiers of a user whose roles the caller may not assign
 */
export async function updateUser(tables: UserGuards, user: EditedUser): Promise<UserRecord> {
  const { before, content, command, now } = user;
  await mustBeAllowedToIdentify(tables, before, content, command);
  const after = { ...before, ...content, version: before.version + 1, updatedAt: now };
  return recordUser('user.updated', after, user);
}
