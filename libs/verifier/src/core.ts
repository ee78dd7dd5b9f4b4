/**
 * Parts of the verifier that Ostiary's own services use, too. They are not part of the package's public API: any
 * release may change them.
 */

export { ProofError, type ProofExpectation, readProof } from './dpop/dpop-proof.ts';
export { contradictionOf, isSameAlgorithm } from './dpop/key-purpose.ts';
export { dpopAlgorithms } from './dpop-algorithms.ts';
export { ElapsedTime } from './elapsed-time.ts';
export {
  AccessError,
  type AccessErrorCode,
  type ChallengeOptions,
  insufficientScope,
  invalidRequest,
  invalidToken,
  missingToken,
  type RequiredAuthentication,
} from './rejections/access-error.ts';
export {
  type ResourceMetadata,
  resourceMetadata,
  resourceMetadataUrl,
} from './rejections/resource-metadata.ts';
export {
  feedWaitSeconds,
  isRevoked,
  keptUntil,
  RevocationEntries,
} from './revocations/revocation-entries.ts';
export {
  type ApiTokenKind,
  isWellFormedApiToken,
  looksLikeApiToken,
  newApiToken,
} from './tokens/api-token.ts';
export {
  authorizationHeaders,
  hasTokenInQuery,
  headerToken,
  isDpop,
  pathOf,
  requireWellFormed,
} from './tokens/authorization-header.ts';
export { isCheckedToken, newCheckedToken } from './tokens/checked-token.ts';
export {
  type ActingParty,
  isExchanged,
  maxActorChainLength,
  maxAncestors,
  readActors,
  readAncestors,
  type TokenAncestor,
} from './tokens/delegation.ts';
export type { KeptTokens } from './tokens/kept-tokens.ts';
export { isOpaqueToken, opaqueTokenPrefix } from './tokens/opaque-token.ts';
export { isExpired, maxRememberedMs, unverifiedIssuer, verifySignature } from './tokens/signature.ts';
export { SigningKeys } from './tokens/signing-keys.ts';
export { requireAuthentication, requireOriginalAuthentication } from './tokens/step-up.ts';
export { tokenOf, type VerifiedToken } from './tokens/verified-token.ts';
export { Verifier } from './verifier.ts';
