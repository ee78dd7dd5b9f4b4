export {
  clientErrorOf,
  conclude,
  currentSession,
  errorAnswer,
  formOf,
  grant,
  type OpenInteraction,
  openForm,
  openInteraction,
  pageOf,
  refuse,
  remember,
  staysHere,
  stepOf,
  takeInteraction,
  tenantOf,
} from './flow.ts';
export { credentialRoutes } from './internal-credentials.ts';
export { internalInvitationRoutes } from './internal-invitations.ts';
export { invitationRoutes } from './invitation.ts';
export { loginRoutes } from './login.ts';
export { logoutRoutes } from './logout.ts';
export { putInteraction } from './open-interactions.ts';
export {
  hidden,
  passkeyForm,
  passkeyScript,
  passkeyScriptElement,
  passkeyScriptHash,
} from './pages/passkey.ts';
export { recoverRoutes } from './recover.ts';
export { routeChecks } from './route-assurance.ts';
export { secondFactorRoutes } from './second-factor.ts';
export { selectAccountRoutes } from './select-account.ts';
