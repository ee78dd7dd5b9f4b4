export { postgresAdministrators } from './administrators.ts';
export { postgresGroupRoleHolders } from './group-role-holders.ts';
export { postgresGroupRoles } from './group-roles.ts';
export { addOverdueChecks, postgresMembershipChecks } from './membership-checks.ts';
export { PostgresRoleDirectory } from './role-directory.ts';
export { postgresRoleHolders } from './role-holders-notified.ts';
export { postgresRoles } from './roles.ts';
