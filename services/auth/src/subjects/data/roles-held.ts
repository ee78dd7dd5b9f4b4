import type { CarriedRoles } from '../domain/carried-roles.ts';

/** Returns the column of a new row; Prisma has no null for a list, and leaves the column null when it is not named. */
export const storedRoles = (carriedRoles: CarriedRoles): { carriedRoles?: string[] } =>
  carriedRoles === null ? {} : { carriedRoles: [...carriedRoles] };

/**
 * The roles of a person, their own and those of groups they are in, as a subquery: two looks into an index.
 * @param tenant, subjectId expressions
 */
export const rolesHeld = (tenant: string, subjectId: string): string =>
  `SELECT r.role FROM auth.role_assignments r WHERE r.tenant = ${tenant} AND r.subject_id = ${subjectId}
   UNION SELECT h.role FROM auth.group_role_holders h WHERE h.tenant = ${tenant} AND h.subject_id = ${subjectId}`;
