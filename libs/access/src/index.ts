export {
  AccessError,
  type AccessErrorCode,
  type ActingParty,
  type ApiTokenKind,
  type ChallengeOptions,
  contradictionOf,
  dpopAlgorithms,
  ElapsedTime,
  insufficientScope,
  invalidRequest,
  invalidToken,
  isCheckedToken,
  isExchanged,
  isOpaqueToken,
  isSameAlgorithm,
  isWellFormedApiToken,
  keptUntil,
  looksLikeApiToken,
  maxActorChainLength,
  maxAncestors,
  missingToken,
  newApiToken,
  newCheckedToken,
  opaqueTokenPrefix,
  ProofError,
  type RequiredAuthentication,
  type ResourceMetadata,
  readActors,
  readAncestors,
  requireAuthentication,
  resourceMetadata,
  resourceMetadataUrl,
  type TokenAncestor,
} from '@ostiary/verifier/core';
export { beyondHeld, recentSignIn, requireHeld } from './authorization/conferring.ts';
export {
  type AccessRule,
  challengeOptions,
  operatorClient,
  requireAccess,
  requireScope,
  requireService,
} from './authorization/guard.ts';
export {
  requireRecentSignIn,
  requireSecondFactorOfAdministrator,
  type SignInPolicy,
  type SignInTerms,
  signInForRoles,
  twoFactorAcrValues,
} from './authorization/recent-sign-in.ts';
export { graphResource, scimResource } from './authorization/resource-metadata.ts';
export {
  type Assurance,
  conferralOf,
  conferring,
  type RouteCheck,
  type RouteChecks,
  type RouteConferral,
  type RouteConferrals,
  requireRouteConferrals,
} from './authorization/route-conferring.ts';
export {
  type ApiScope,
  apiScopes,
  describeScope,
  type OidcScope,
  oidcScopes,
  openedByOwnToken,
  openedByUserTokens,
  type SelfScope,
  selfScopes,
} from './authorization/scopes.ts';
export { DpopProofs } from './dpop/dpop.ts';
export { type ProofAllowance, type ProofSource, proofAllowance } from './dpop/dpop-allowance.ts';
export { type Possession, requirePossession } from './dpop/possession.ts';
export { accessEnv, dpopEnv, revocationEnv } from './env.ts';
export { type OwnPerimeterOptions, ownPerimeter } from './perimeter/own-perimeter.ts';
export { type ProtectionName, protectionNames } from './perimeter/protections.ts';
export {
  malformedType,
  noRoute,
  objectionTo,
  type Refusal,
  refuse,
  tooLarge,
  unavailable,
} from './perimeter/refusal.ts';
export {
  consolePathOf,
  isPublicTenant,
  type NoRoute,
  oauthBodyLimit,
  type PublicService,
  plainRouteOf,
  type Route,
  routeOf,
} from './perimeter/route.ts';
export {
  type FollowerOptions,
  RevocationFollower,
  signedEntry,
  type Waiting,
} from './revocations/follower.ts';
export {
  claimOf,
  type Revocation,
  type RevocationKind,
  RevocationList,
  type RevocationPage,
  revocationKinds,
  revocationStream,
} from './revocations/revocations.ts';
export { type ServiceTokenOptions, ServiceTokens } from './service-tokens.ts';
export { bearerToken } from './tokens/bearer.ts';
export {
  actClaim,
  type Caller,
  callersOf,
  derivedFromClaim,
  whoActs,
} from './tokens/delegation.ts';
export { type KeySource, RemoteKeys } from './tokens/jwks.ts';
export {
  apiTokenMemorySeconds,
  apiTokenPrincipal,
  type LiveApiToken,
  personalAccessTokenClient,
} from './tokens/live-api-tokens.ts';
export { type PresentedToken, presentedToken } from './tokens/presented.ts';
export {
  issuerOf,
  isTenantId,
  type Principal,
  platformTenant,
  serviceAudience,
  subgraphAudience,
  tenantOfIssuer,
} from './tokens/principal.ts';
export {
  measureRevocations,
  RemoteAccess,
  type RemoteAccessOptions,
} from './verification/remote.ts';
export {
  type Expectation,
  LocalTokenVerifier,
  principalOf,
  type TokenVerifier,
  type VerifierOptions,
} from './verification/verifier.ts';
