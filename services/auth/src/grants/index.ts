export type { AccessTokenClaims } from './domain/access-token-claims.ts';
export {
  type CodeContent,
  type CodeStore,
  challengeOf,
  type Redemption,
  type RedemptionOutcome,
} from './domain/authorization-code.ts';
export type { AuthorizationRequest, Prompt, ReturnAddress } from './domain/authorization-request.ts';
export type { AuthorizationCodes, AuthorizedRequest } from './domain/authorized-request.ts';
export {
  type ClaimsRequest,
  claimsOfScopes,
  parseClaimsRequest,
  type ReleasedClaims,
  releasedClaims,
  scopeOfClaim,
  scopesOfClaims,
} from './domain/claims-request.ts';
export type { ConsentStore } from './domain/consents.ts';
export { endGrant, endGrantIn, type GrantEndingPorts } from './domain/grant-ending.ts';
export type { Grants } from './domain/grant-revocation.ts';
export type { GrantContent, GrantStore, LiveGrant } from './domain/grants.ts';
export type { IdTokenHint, IdTokens } from './domain/id-token-hint.ts';
export { RefreshTokenCodec, type RefreshTokenParts } from './domain/refresh-token.ts';
