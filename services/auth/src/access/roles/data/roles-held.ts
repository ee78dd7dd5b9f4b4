import { SubjectReads } from '../../../tenancy/users/data/subject-reads.ts';

/**
 * Returns a subquery of the roles of a user, direct and through groups: two index lookups.
 * @param tenant, subjectId expressions
 */
export const rolesHeld = (tenant: string, subjectId: string): string =>
  `SELECT r.role FROM auth.role_assignments r WHERE r.tenant = ${tenant} AND r.subject_id = ${subjectId}
   UNION SELECT h.role FROM auth.group_role_holders h WHERE h.tenant = ${tenant} AND h.subject_id = ${subjectId}`;

export const subjectReads = new SubjectReads(rolesHeld);
