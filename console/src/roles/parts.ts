export { type RoleName, roles } from './role-scopes.ts';
