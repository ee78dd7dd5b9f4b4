export type { AssertingAccounts } from './domain/asserting-accounts.ts';
export {
  type AssertionAlgorithm,
  privateKeyAlgorithms,
  secretAlgorithms,
} from './domain/assertion-algorithms.ts';
export { isToldOfLogout } from './domain/backchannel-logout.ts';
export type { Client, ClientStore } from './domain/client.ts';
export { type AssertionVerification, authenticateAssertion } from './domain/client-assertion.ts';
export { authenticateClient, presentedClient } from './domain/client-authentication.ts';
export { type ClientKey, checkAuthenticationKeys, keysFor, readKeys } from './domain/client-keys.ts';
export type { ClientLogos } from './domain/client-logos.ts';
export { isExemptFromProofKey, needsNonce } from './domain/client-metadata.ts';
export type { ClientRegistry } from './domain/client-registry.ts';
export { deviceCodeGrant } from './domain/clients.ts';
export { refusePrivateAddresses } from './domain/document-address.ts';
export type { RegistrationStore } from './domain/dynamic-registration.ts';
export {
  type ExchangePolicy,
  exchangePolicyOf,
  jwtBearerGrantType,
  mayActOf,
  tokenExchangeGrantType,
} from './domain/exchange-policy.ts';
export { isFapi2, isFapi2Algorithm, longestCodeSeconds, requireProfile } from './domain/fapi2.ts';
export { platformClients } from './domain/platform-clients.ts';
export {
  matchRedirectUri,
  mayBeImpersonated,
  type RedirectingClient,
  redirectTo,
} from './domain/redirect-uri.ts';
export {
  isRegisteredRequestUri,
  mayUse,
  mustSignRequests,
  requestObjectAlgorithms,
} from './domain/request-object-metadata.ts';
export { isResourceServerFor, userinfoAudience } from './domain/resource-server.ts';
export {
  checkAssertionClaims,
  checkTimes,
  isSignedByOneOf,
  isText,
  readSignedAssertion,
  type SignedAssertion,
  typeOf,
} from './domain/signed-assertion.ts';
export { createSubjectIdentifier, isPairwise, type SubjectIdentifier } from './domain/subject-identifier.ts';
export type { ValidMetadata } from './domain/valid-metadata.ts';
