export { revocationRoutes } from './internal-revocations.ts';
