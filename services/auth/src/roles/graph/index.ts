export { beyondReach, RolesActedOn } from './acting.ts';
export { groupRoleResolvers } from './group-roles.ts';
export { type RoleLoaders, roleLoaders } from './loaders.ts';
export { userRoleResolvers } from './user-roles.ts';
