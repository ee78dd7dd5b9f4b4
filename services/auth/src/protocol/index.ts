export {
  invalidClient,
  invalidClientMetadata,
  invalidGrant,
  invalidRedirectUri,
  invalidRequest,
  invalidScope,
  invalidTarget,
  OAuthError,
  slowDown,
  tenantSuspended,
  unauthorizedClient,
  unsupportedGrantType,
  wrongClientAuthMethod,
} from './domain/errors.ts';
export {
  formatParameters,
  maxQueryBytes,
  type Parameters,
  parseParameters,
  queryOf,
  single,
} from './domain/parameters.ts';
