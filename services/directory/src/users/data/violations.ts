import { isUniqueViolation } from '@ostiary/database';
import { NotUniqueValue } from '../../errors/index.ts';

/** Translates the database's error for a userName or an id that another user has. */
export function asTakenByUser(error: unknown): NotUniqueValue | undefined {
  if (isUniqueViolation(error, 'users_tenant_user_name_key_key')) {
    return new NotUniqueValue('This userName is taken.', 'userName');
  }
  return isUniqueViolation(error, 'users_pkey') ? new NotUniqueValue('This id is taken.', 'id') : undefined;
}
