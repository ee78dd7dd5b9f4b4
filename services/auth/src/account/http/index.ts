export { accountRoutes } from './account.ts';
export { accountFactorRoutes } from './account-factors.ts';
export { accountPasswordRoutes, faultProblem } from './account-password.ts';
export { accountBase, recoveryCodesPath, showOnce, signInFirst } from './account-session.ts';
export { accountTokenRoutes } from './account-tokens.ts';
export { closedInvitationPage, invitationPage, passwordFields } from './pages/account-forms.ts';
export { personalAccessTokenRoutes } from './personal-access-tokens.ts';
