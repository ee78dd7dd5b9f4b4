export {
  type CountingRoles,
  countingRoles,
  type RolePolicy,
  reachedTwoFactors,
  rolesAtBest,
} from './domain/counting-roles.ts';
export { createGroupRoles, forgetGroups, type GroupRoles } from './domain/group-roles.ts';
export { createRoleHolderNotices, type RoleHolderNotices } from './domain/role-holder-notices.ts';
export { createRoleProjection, type RoleProjection } from './domain/role-projection.ts';
export type { RoleDirectory } from './domain/role-sources.ts';
export {
  mayActOn,
  mayGiveRole,
  type Role,
  scopesOfRoles,
  scopesToActOn,
  scopesToGive,
} from './domain/roles.ts';
export {
  checkResources,
  defaultScopes,
  isKnownScope,
  isOidcScope,
  ownResources,
  parseScope,
  permittedScopes,
  scopesForClient,
  withoutRoleScopes,
} from './domain/scopes.ts';
