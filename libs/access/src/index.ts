export {
  type ApiTokenKind,
  isWellFormedApiToken,
  looksLikeApiToken,
  newApiToken,
} from './api-token.ts';
export { bearerToken } from './bearer.ts';
export { isCheckedToken, newCheckedToken } from './checked-token.ts';
export { beyondHeld, recentSignIn, requireHeld } from './conferring.ts';
export {
  actClaim,
  derivedFromClaim,
  longestActorChain,
  mostAncestors,
  readActors,
  readAncestors,
  whoActs,
} from './delegation.ts';
export { DpopProofs } from './dpop.ts';
export { type ProofAllowance, type ProofSource, proofAllowance } from './dpop-allowance.ts';
export { dpopAlgorithms, ProofError } from './dpop-proof.ts';
export { accessEnv, dpopEnv } from './env.ts';
export {
  AccessError,
  type AccessErrorCode,
  type ChallengeOptions,
  insufficientScope,
  invalidRequest,
  invalidToken,
  missingToken,
  type RequiredAuthentication,
} from './errors.ts';
export { type FollowerOptions, RevocationFollower, signedEntry } from './follower.ts';
export { type AccessRule, challengeOptions, requireAccess, requireScope, requireService } from './guard.ts';
export { type KeySource, RemoteKeys } from './jwks.ts';
export { contradictionOf, isSameAlgorithm } from './key-purpose.ts';
export {
  apiTokenMemorySeconds,
  apiTokenPrincipal,
  type LiveApiToken,
  personalAccessTokenClient,
} from './live-api-tokens.ts';
export { type Possession, requirePossession } from './possession.ts';
export { type PresentedToken, presentedToken } from './presented.ts';
export {
  type ActingParty,
  isExchanged,
  issuerOf,
  isTenantId,
  type Principal,
  platformTenant,
  serviceAudience,
  subgraphAudience,
  type TokenAncestor,
  tenantOfIssuer,
} from './principal.ts';
export {
  requireRecentSignIn,
  requireSecondFactorOfAdministrator,
  type SignInPolicy,
  type SignInTerms,
  signInForRoles,
  twoFactorAcrValues,
} from './recent-sign-in.ts';
export { measureRevocations, type RemoteAccess, type RemoteAccessOptions, remoteAccess } from './remote.ts';
export {
  graphResource,
  type ResourceMetadata,
  resourceMetadata,
  resourceMetadataUrl,
  scimResource,
} from './resource-metadata.ts';
export {
  type Revocation,
  type RevocationKind,
  RevocationList,
  type RevocationPage,
  revocationKinds,
  revocationStream,
} from './revocations.ts';
export {
  type Assurance,
  conferralOf,
  conferring,
  type RouteCheck,
  type RouteChecks,
  type RouteConferral,
  type RouteConferrals,
  requireRouteConferrals,
} from './route-conferring.ts';
export {
  type ApiScope,
  apiScopes,
  describeScope,
  type OidcScope,
  oidcScopes,
  type SelfScope,
  selfScopes,
} from './scopes.ts';
export { type ServiceTokenOptions, type ServiceTokens, serviceTokens } from './service-tokens.ts';
export { requireAuthentication } from './step-up.ts';
export {
  createTokenVerifier,
  type Expectation,
  type TokenVerifier,
  type VerifierOptions,
} from './verifier.ts';
