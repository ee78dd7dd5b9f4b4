export { authConferring } from './conferring.ts';
export { groupRoleResolvers } from './group-roles.ts';
