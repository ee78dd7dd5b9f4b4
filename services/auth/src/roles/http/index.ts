export { administratorRoutes } from './internal-administrators.ts';
export { roleRoutes } from './internal-roles.ts';
