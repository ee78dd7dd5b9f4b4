export { groupRoles } from './group-roles.ts';
