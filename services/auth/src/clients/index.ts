export { type Api, descriptionIn } from './apis/domain/api.ts';
export type { Apis } from './apis/domain/apis.ts';
export {
  apiIdentifiersOf,
  apisOf,
  type ClientApi,
  type ClientWithApis,
} from './apis/domain/client-api.ts';
export type { ClaimMapping } from './claims/domain/claim-mapping.ts';
export { clientClaimsOf } from './claims/domain/client-claims.ts';
export { compile, type Expression, type MappingHolder } from './claims/domain/expression.ts';
export { maxGroups } from './claims/domain/expression-cost.ts';
export {
  type ClaimFailure,
  type ClaimProblem,
  evaluateMappings,
  type MappedClaims,
} from './claims/domain/mapped-claims.ts';
export { isReservedClaim } from './claims/domain/reserved-claims.ts';
export {
  attributesToRequest,
  maxTextLength,
  type ReadAttributes,
  type UserDocument,
  userValue,
} from './claims/domain/user-attributes.ts';
export type { AssertingAccounts } from './domain/asserting-accounts.ts';
export {
  type AssertionAlgorithm,
  privateKeyAlgorithms,
  secretAlgorithms,
} from './domain/assertions/assertion-algorithms.ts';
export {
  checkAssertionClaims,
  checkTimes,
  isSignedByOneOf,
  isText,
  readSignedAssertion,
  type SignedAssertion,
  typeOf,
} from './domain/assertions/signed-assertion.ts';
export { isNotifiedOfLogout } from './domain/backchannel-logout.ts';
export {
  type Client,
  type ClientId,
  type ClientStore,
  clientKey,
  documentHostOf,
  isDocumentClientId,
  isUnapprovedClientId,
} from './domain/client.ts';
export { type ClientKey, checkAuthenticationKeys, keysFor, readKeys } from './domain/client-keys.ts';
export { isExemptFromProofKey, needsNonce } from './domain/client-metadata.ts';
export { isFapi2, isFapi2Algorithm } from './domain/client-profile.ts';
export { deviceCodeGrant } from './domain/clients.ts';
export { consoleClientId } from './domain/console-client.ts';
export { refusePrivateAddresses } from './domain/document-address.ts';
export {
  type ExchangePolicy,
  exchangePolicyOf,
  jwtBearerGrantType,
  mayActOf,
  tokenExchangeGrantType,
} from './domain/exchange-policy.ts';
export { maxCodeSeconds, requireProfile } from './domain/fapi2.ts';
export {
  matchRedirectUri,
  mayBeImpersonated,
  type RedirectingClient,
  redirectTo,
} from './domain/redirect-uri.ts';
export {
  documentAddressOf,
  hasRequestObjectAlgorithm,
  isRegisteredRequestUri,
  mayUse,
  mustSignRequests,
  requestObjectAlgorithms,
} from './domain/request-object-metadata.ts';
export {
  isResourceServerFor,
  protectedResourcesOf,
  tenantApi,
  userinfoAudience,
} from './domain/resource-server.ts';
export { isPairwise, type SubjectIdentifier } from './domain/subject-identifier.ts';
