import type { CarriedRoles } from '../domain/carried-roles.ts';

/** Returns the column of a new row. Prisma has no null for lists; an omitted column is null. */
export const storedRoles = (carriedRoles: CarriedRoles): { carriedRoles?: string[] } =>
  carriedRoles === null ? {} : { carriedRoles: [...carriedRoles] };
