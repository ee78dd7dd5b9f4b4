export type { AccessTokenClaims } from './grants/domain/access-token-claims.ts';
export {
  type AuthorizationCodes,
  type AuthorizedRequest,
  type CodeContent,
  type CodeStore,
  challengeOf,
  type Redemption,
  type RedemptionOutcome,
} from './grants/domain/authorization-code.ts';
export type {
  AskingDevice,
  AuthorizationRequest,
  Prompt,
  ReturnAddress,
} from './grants/domain/authorization-request.ts';
export {
  type ClaimsRequest,
  claimsOfScopes,
  parseClaimsRequest,
  type ReleasedClaims,
  releasedClaims,
  scopeOfClaim,
  scopesOfClaims,
} from './grants/domain/claims-request.ts';
export type { Delegations } from './grants/domain/delegations.ts';
export { endGrant, endGrantIn, type GrantEndingPorts } from './grants/domain/grant-ending.ts';
export type { Grants } from './grants/domain/grant-revocation.ts';
export type { GrantContent, GrantStore, LiveGrant } from './grants/domain/grants.ts';
export type { IdTokenHint, IdTokens } from './grants/domain/id-token-hint.ts';
export { RefreshTokenCodec, type RefreshTokenParts } from './grants/domain/refresh-token.ts';
export { ApiTokenReader, apiTokenClaims } from './machines/domain/api-token-reader.ts';
export { type ApiTokens, OwnerGone, personalScopes, TooManyApiTokens } from './machines/domain/api-tokens.ts';
export { LastUses } from './machines/domain/last-uses.ts';
export type { ApiTokenSummary } from './machines/domain/token-list.ts';
export type { CredentialOwner, OwnedKind, OwnerToBe } from './ownership/domain/credential-owner.ts';
export { endGroupOwner, type GroupOwners } from './ownership/domain/group-owners.ts';
export { endIssuedOnWord } from './ownership/domain/issued-on-word.ts';
export type { Knowers, ReportedSecret } from './ownership/domain/known-secret.ts';
export { allOwnable, type Ownable, ownableBy } from './ownership/domain/ownable.ts';
export { endOwned, noneOwned, type OwnershipPorts } from './ownership/domain/owned-credentials.ts';
export type { Owners } from './ownership/domain/owners.ts';
export type { AccessRenewal } from './roles/domain/access-renewal.ts';
export {
  countingRoles,
  type RolePolicy,
  reachedTwoFactors,
  rolesAtBest,
} from './roles/domain/counting-roles.ts';
export type { GroupRoles } from './roles/domain/group-roles.ts';
export { roleChange } from './roles/domain/role-change.ts';
export type { RoleDirectory } from './roles/domain/role-directory.ts';
export type { DirectoryRoleHolderNotices } from './roles/domain/role-holder-notices.ts';
export type { InvitationEnds } from './roles/domain/role-holders.ts';
export type { RoleProjection } from './roles/domain/role-projection.ts';
export type { WayIn } from './roles/domain/role-sources.ts';
export type { RoleStore } from './roles/domain/role-store.ts';
export {
  mayActOn,
  type Role,
  roleScopes,
  rolesGivableWith,
  scopesToActOn,
  scopesToGive,
} from './roles/domain/roles.ts';
export {
  checkResources,
  defaultScopes,
  formsOf,
  isKnownScope,
  isOidcScope,
  knownResource,
  ownResources,
  ownScopesOf,
  parseScope,
  permittedScopes,
  scopesForClient,
  withoutEmptyPath,
  withoutRoleScopes,
} from './roles/domain/scopes.ts';
