import type { CarriedRoles } from '../domain/carried-roles.ts';

/** Returns the column of a new row. Prisma has no null for lists; an omitted column is null. */
export const storedRoles = (carriedRoles: CarriedRoles): { carriedRoles?: string[] } =>
  carriedRoles === null ? {} : { carriedRoles: [...carriedRoles] };

/**
 * Returns a subquery of the roles of a user, direct and through groups: two index lookups.
 * @param tenant, subjectId expressions
 */
export const rolesHeld = (tenant: string, subjectId: string): string =>
  `SELECT r.role FROM auth.role_assignments r WHERE r.tenant = ${tenant} AND r.subject_id = ${subjectId}
   UNION SELECT h.role FROM auth.group_role_holders h WHERE h.tenant = ${tenant} AND h.subject_id = ${subjectId}`;
