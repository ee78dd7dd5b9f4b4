export {
  invalidClient,
  invalidClientMetadata,
  invalidGrant,
  invalidRedirectUri,
  invalidRequest,
  invalidScope,
  invalidTarget,
  OAuthError,
  scopeRefused,
  slowDown,
  tenantSuspended,
  unauthorizedClient,
  unsupportedGrantType,
  withinScopes,
  wrongClientAuthMethod,
} from './domain/errors.ts';
export { NoSuchOwner } from './domain/no-such-owner.ts';
export {
  formatParameters,
  maxQueryBytes,
  type Parameters,
  parseParameters,
  queryOf,
  single,
} from './domain/parameters.ts';
export { type ChangeTerms, type Claim, requireVersion, VersionChanged } from './domain/versions.ts';
