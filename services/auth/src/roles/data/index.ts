export { addOverdueChecks } from './membership-checks.ts';
export { PostgresRoleDirectory } from './role-directory.ts';
export { rolesHeld, rolesOf } from './roles.ts';
