export { catchUpOnGroupRoles, groupRoleAge } from './group-roles.ts';
