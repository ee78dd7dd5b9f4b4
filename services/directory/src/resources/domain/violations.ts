import { isForeignKeyViolation, isUniqueViolation } from '@ostiary/database';
import { ScimError } from '@ostiary/scim';
import { NotUniqueValue } from '../../errors/domain/refusals.ts';

/** The one answer about members that aren't there: elsewhere, deleted or made up are not told apart. */
export const unknownMember = (): ScimError =>
  ScimError.invalidValue('A member must be the id of an existing user or group.');

/** Runs a change; what a constraint of the database refused becomes the SCIM error that says so. */
export async function translatingViolations<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    throw asScimError(error);
  }
}

function asScimError(error: unknown): unknown {
  if (isUniqueViolation(error, 'users_tenant_user_name_key_key')) {
    return new NotUniqueValue('This userName is taken.', 'userName');
  }
  if (isUniqueViolation(error, 'users_pkey') || isUniqueViolation(error, 'groups_pkey')) {
    return new NotUniqueValue('This id is taken.', 'id');
  }
  if (isUniqueViolation(error, 'unique_values_pkey')) {
    const name = uniqueAttribute(error);
    const what = name === undefined ? 'A value that must be unique' : `This value of ${name}`;
    return new NotUniqueValue(`${what} is taken.`, name);
  }
  if (isForeignKeyViolation(error, 'user_memberships_tenant_member_id_fkey')) return unknownMember();
  if (isForeignKeyViolation(error, 'group_memberships_tenant_member_id_fkey')) return unknownMember();
  return error;
}

/** The attribute whose value is taken: keys are its name, "=" and the value, which the client knows already. */
function uniqueAttribute(error: unknown): string | undefined {
  const { detail } = error as { detail?: unknown };
  return typeof detail === 'string' ? /\(tenant, key\)=\([^,]+, ([^=]+)=/.exec(detail)?.[1] : undefined;
}
