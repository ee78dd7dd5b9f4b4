export { EffectiveMembers } from './effective-members.ts';
export { PrivilegedGroups } from './privileged-groups.ts';
export { RoleHolders } from './role-holders.ts';
