export { addOverdueChecks } from './membership-checks.ts';
export { rolesHeld } from './roles.ts';
