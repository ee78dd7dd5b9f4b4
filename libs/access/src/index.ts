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
export {
  graphResource,
  type ResourceMetadata,
  resourceMetadata,
  resourceMetadataUrl,
  scimResource,
} from './authorization/resource-metadata.ts';
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
export { requireAuthentication } from './authorization/step-up.ts';
export { DpopProofs } from './dpop/dpop.ts';
export { type ProofAllowance, type ProofSource, proofAllowance } from './dpop/dpop-allowance.ts';
export { dpopAlgorithms, ProofError } from './dpop/dpop-proof.ts';
export { type Possession, requirePossession } from './dpop/possession.ts';
export { accessEnv, dpopEnv, revocationEnv } from './env.ts';
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
  keptUntil,
  type Revocation,
  type RevocationKind,
  RevocationList,
  type RevocationPage,
  revocationKinds,
  revocationStream,
} from './revocations/revocations.ts';
export { type ServiceTokenOptions, ServiceTokens } from './service-tokens.ts';
export {
  type ApiTokenKind,
  isWellFormedApiToken,
  looksLikeApiToken,
  newApiToken,
} from './tokens/api-token.ts';
export { bearerToken } from './tokens/bearer.ts';
export { isCheckedToken, newCheckedToken } from './tokens/checked-token.ts';
export {
  actClaim,
  type Caller,
  callersOf,
  derivedFromClaim,
  maxActorChainLength,
  maxAncestors,
  readActors,
  readAncestors,
  whoActs,
} from './tokens/delegation.ts';
export { type KeySource, RemoteKeys } from './tokens/jwks.ts';
export { contradictionOf, isSameAlgorithm } from './tokens/key-purpose.ts';
export {
  apiTokenMemorySeconds,
  apiTokenPrincipal,
  type LiveApiToken,
  personalAccessTokenClient,
} from './tokens/live-api-tokens.ts';
export { type PresentedToken, presentedToken } from './tokens/presented.ts';
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
