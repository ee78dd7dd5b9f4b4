import { isForeignKeyViolation, isUniqueViolation } from '@ostiary/database';
import type { ScimError } from '@ostiary/scim';
import { NotUniqueValue } from '../../errors/index.ts';
import { unknownMember } from '../domain/member-plan.ts';

/** What the database says of an id that another group has, and of members that have been deleted meanwhile. */
export function asGroupError(error: unknown): ScimError | undefined {
  if (isUniqueViolation(error, 'groups_pkey')) return new NotUniqueValue('This id is taken.', 'id');
  if (isForeignKeyViolation(error, 'user_memberships_tenant_member_id_fkey')) return unknownMember();
  if (isForeignKeyViolation(error, 'group_memberships_tenant_member_id_fkey')) return unknownMember();
  return undefined;
}
