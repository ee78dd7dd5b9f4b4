export { catchUpOnGroupOwners, catchUpOnGroupRoles, groupRoleAge } from './group-roles.ts';
