export { type Changes, changesBetween, masked } from './audit/domain/changes.ts';
export { counted } from './audit/domain/counted.ts';
export { currentActor, currentOrigin, runFor } from './audit/domain/origin.ts';
export type {
  NewSecurityEvent,
  ResourceType,
  SecurityAction,
  SecurityLog,
} from './audit/domain/security-log.ts';
export type { AttemptLimit, Attempts, Guesses } from './limits/domain/attempts.ts';
export { type Counter, counterKey, countInTurn } from './limits/domain/counted-in-turn.ts';
export {
  deviceCodeGuesses,
  interactionsOf,
  maxPushedBytes,
  newUnapprovedClients,
  openRegistrations,
  passkeysOfAddress,
  platformSecretGuesses,
  pushedRequests,
  requestDocuments,
  signInFailures,
} from './limits/domain/shared-limits.ts';
export { LoadingCache } from './memory/domain/loading-cache.ts';
export type { TenantChanges } from './memory/domain/tenant-changes.ts';
export {
  type Acr,
  type Authentication,
  acrValues,
  authenticationOf,
  type Method,
  satisfiesAcr,
} from './protocol/domain/authentication-context.ts';
export {
  invalidClient,
  invalidClientMetadata,
  invalidGrant,
  invalidRedirectUri,
  invalidRequest,
  invalidScope,
  invalidTarget,
  OAuthError,
  requireScopesLeft,
  scopeRefused,
  slowDown,
  tenantSuspended,
  unauthorizedClient,
  unsupportedGrantType,
  withinScopes,
  wrongClientAuthMethod,
} from './protocol/domain/errors.ts';
export { checkForm } from './protocol/domain/form.ts';
export { NoSuchOwner } from './protocol/domain/no-such-owner.ts';
export {
  formatParameters,
  maxQueryBytes,
  type Parameters,
  parseParameters,
  queryOf,
  single,
} from './protocol/domain/parameters.ts';
export { type ChangeTerms, type Claim, requireVersion } from './protocol/domain/versions.ts';
