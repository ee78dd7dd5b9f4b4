export { ownPageRequest } from './account-pages.ts';
export type { AuthorizationSteps, Granting, Progress, Step } from './authorization-flow.ts';
export type {
  InteractionDependencies,
  InternalSignInDependencies,
  SignInDependencies,
} from './dependencies.ts';
export {
  clientErrorOf,
  conclude,
  currentSession,
  formOf,
  isAbout,
  type OpenInteraction,
  openForm,
  openInteraction,
  pageOf,
  refuse,
  staysHere,
  takeInteraction,
  tenantOf,
} from './flow.ts';
export { credentialRoutes } from './internal-credentials.ts';
export { internalInvitationRoutes } from './internal-invitations.ts';
export { loginRoutes } from './login.ts';
export { logoutRoutes } from './logout.ts';
export { putInteraction } from './open-interactions.ts';
export { recoverRoutes } from './recover.ts';
export { secondFactorRoutes } from './second-factor.ts';
export { selectAccountRoutes } from './select-account.ts';
export { startSession } from './signed-in.ts';
