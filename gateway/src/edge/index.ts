export { isPublicTenant } from './domain/route.ts';
