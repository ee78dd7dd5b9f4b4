export { accountRoutes } from './account.ts';
export { accountFactorRoutes } from './account-factors.ts';
export { accountPasswordRoutes } from './account-password.ts';
export { accountTokenRoutes } from './account-tokens.ts';
export { invitationRoutes } from './invitation.ts';
export { personalAccessTokenRoutes } from './personal-access-tokens.ts';
export { routeChecks } from './route-assurance.ts';
