import { keepingIdentifiers } from '../../roles/index.ts';
import { newDeparture } from './departures.ts';
import type { EditedUser, UserGuards } from './edited-user.ts';
import { recordUser, type UserRecord } from './user-record.ts';

/**
 * Deactivates a user: SCIM PATCH and PUT of `active`, also in a Bulk, the mutation `deactivateUser`, and the
 * repetition of a lost offboarding. Other attributes of the same request change in the same version.
 * `Users` has checked the protection of the account and the version.
 */
export async function deactivateUser(tables: UserGuards, user: EditedUser): Promise<UserRecord> {
  const { before, content, command, now } = user;
  // Access ends although the caller must not change the identifiers of this role holder: these then stay.
  const allowed = await keepingIdentifiers(tables, before, content, command);
  const after = { ...before, ...allowed, version: before.version + 1, updatedAt: now };
  // Its id is that of the event, by which consumers recognize the departure in later events of the user.
  const departure = newDeparture('user.deactivated', after, command.actor);
  return recordUser('user.deactivated', { ...after, departure }, user);
}
