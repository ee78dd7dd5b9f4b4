export { addOverdueChecks } from './membership-checks.ts';
export { rolesHeld, rolesOf } from './roles.ts';
