export { ownerRoutes } from './internal-owners.ts';
