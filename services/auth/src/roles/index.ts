export type { AccessRenewal } from './domain/access-renewal.ts';
export {
  type CountingRoles,
  countingRoles,
  type RolePolicy,
  reachedTwoFactors,
  rolesAtBest,
} from './domain/counting-roles.ts';
export type { GroupRoleHolderStore } from './domain/group-role-holders.ts';
export type { GroupRoleStore } from './domain/group-role-store.ts';
export { type GroupRoles, PrivilegedGroups } from './domain/group-roles.ts';
export type { MembershipCheckStore } from './domain/membership-checks.ts';
export { DirectoryRoleHolderNotices, type RoleHolderNotices } from './domain/role-holder-notices.ts';
export type { RoleHolderStore } from './domain/role-holder-store.ts';
export type { InvitationEnds } from './domain/role-holders.ts';
export { DirectoryRoleProjection, type RoleProjection } from './domain/role-projection.ts';
export type { RoleDirectory, WayIn } from './domain/role-sources.ts';
export type { AdministratorStore, RoleStore } from './domain/role-store.ts';
export {
  mayActOn,
  type Role,
  roleScopes,
  roles,
  rolesGivableWith,
  scopesOfRoles,
  scopesToActOn,
  scopesToGive,
} from './domain/roles.ts';
export {
  checkResources,
  defaultScopes,
  isKnownScope,
  isOidcScope,
  knownResource,
  ownResources,
  parseScope,
  permittedScopes,
  scopesForClient,
  withoutRoleScopes,
} from './domain/scopes.ts';
