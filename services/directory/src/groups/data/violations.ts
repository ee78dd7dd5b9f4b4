import { isForeignKeyViolation, isUniqueViolation } from '@ostiary/database';
import type { ScimError } from '@ostiary/scim';
import { NotUniqueValue } from '../../errors/index.ts';
import { unknownMember } from '../domain/member-plan.ts';

/** Returns the error of the domain for a taken id, or for a member that was deleted concurrently. */
export function asGroupError(error: unknown): ScimError | undefined {
  if (isUniqueViolation(error, 'groups_pkey')) return new NotUniqueValue('This id is taken.', 'id');
  if (isForeignKeyViolation(error, 'user_memberships_tenant_member_id_fkey')) return unknownMember();
  if (isForeignKeyViolation(error, 'group_memberships_tenant_member_id_fkey')) return unknownMember();
  return undefined;
}
