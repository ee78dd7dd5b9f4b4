const prefix = 'api:';

/** Role of a defined API. */
export interface ApiRoleName {
  apiId: string;
  /** Value in the `roles` claim. */
  role: string;
}

/**
 * Returns the name under which a role of an API is stored among the roles of users and groups. It contains the id of
 * the API, which is never used again.
 */
export const apiRoleKey = ({ apiId, role }: ApiRoleName): string => `${prefix}${apiId}:${role}`;

export const isApiRole = (role: string): boolean => role.startsWith(prefix);

/** Returns the role of an API that is stored under this name; undefined for a role of the tenant. */
export function apiRoleOf(key: string): ApiRoleName | undefined {
  if (!isApiRole(key)) return undefined;
  const end = key.indexOf(':', prefix.length);
  return { apiId: key.slice(prefix.length, end), role: key.slice(end + 1) };
}

/** Pattern for LIKE of the names of all roles of APIs. */
export const apiRolePattern = `${prefix}%`;

/** Separates the roles of the tenant, which give scopes, from those of APIs. */
export const separateRoles = (held: readonly string[]): { roles: string[]; apiRoles: string[] } => ({
  roles: held.filter((role) => !isApiRole(role)),
  apiRoles: held.filter(isApiRole),
});
