export { closedAccessPaths, type ReportedOffboarding } from './events/domain/closed-doors.ts';
export { type CredentialChange, passkeyChange } from './events/domain/credential-changes.ts';
export { DirectoryFacts } from './events/domain/directory-facts.ts';
export { EventPublisher } from './events/domain/event-publisher.ts';
export { readingScopeOf } from './events/domain/event-scopes.ts';
export {
  type FactCursors,
  type LockedCursor,
  type OrderedSubject,
  orderKey,
} from './events/domain/fact-cursors.ts';
export type { FactStore } from './events/domain/fact-store.ts';
export {
  directoryFactTypes,
  type Fact,
  type FactSubject,
  type FactType,
  factTypes,
  type NewFact,
  type SubjectKind,
  subjectKeyOf,
} from './events/domain/facts.ts';
export { type NewDelivery, type ReceiverKind, receiverKinds } from './events/domain/new-delivery.ts';
export { type Cursor, giveWay } from './events/domain/order.ts';
export type { EndedSession, LogoutPayload } from './events/domain/session-ends.ts';
export {
  decodeJwt,
  decodeUnsecuredJwt,
  type Signer,
  type SigningAlgorithm,
  type SigningKeyRing,
  signingAlgorithms,
  signJwt,
  tokenHash,
  verifyJwt,
} from './keys/domain/jwt.ts';
export {
  deriveKey,
  equalDigests,
  keyedDigest,
  keyedMac,
  open,
  randomSecret,
  seal,
} from './keys/domain/secret.ts';
export { Settling } from './keys/domain/settling.ts';
export { type Logo, maxLogoBytes, readLogo, UnfitLogo } from './tenants/domain/logo.ts';
export type { SignInPeriods, TenantFigures, TenantStatistics } from './tenants/domain/tenant-figures.ts';
export type { TenantRecord } from './tenants/domain/tenant-record.ts';
export type { Tenants } from './tenants/domain/tenants.ts';
export type { WebOrigins } from './tenants/domain/web-origins.ts';
export {
  type ApiRoleName,
  apiRoleKey,
  apiRoleOf,
  apiRolePattern,
  isApiRole,
  separateRoles,
} from './users/domain/api-role.ts';
export { type CarriedRoles, carriedByAll } from './users/domain/carried-roles.ts';
export type { ChangedUsers, UserKey } from './users/domain/changed-people.ts';
export type { AccessPathCounts, ClosedAccessPaths, OwnedCounts } from './users/domain/closed-doors.ts';
export {
  attributeOfClaim,
  type DirectoryAttributes,
  directoryClaimsOf,
  isBlank,
} from './users/domain/directory-claims.ts';
export {
  type DirectoryGroups,
  type GroupPrivilege,
  type MembersAnswer,
  maxGroups,
  maxMembers,
} from './users/domain/directory-groups.ts';
export { type DirectoryUser, profileOf, userChangeFromDirectory } from './users/domain/directory-user.ts';
export { beginning, type FeedSnapshot, snapshotText } from './users/domain/feed-snapshot.ts';
export {
  type NewRevocation,
  type RevocationFeed,
  type RevocationJournal,
  revocationExpiry,
} from './users/domain/revocation-feed.ts';
export type { LoggedRevocation, LogPage, LogPosition, RevocationLog } from './users/domain/revocation-log.ts';
export type { RevocationLogs } from './users/domain/revocation-logs.ts';
export type { Subject, SubjectProfile, Subjects } from './users/domain/subject.ts';
export type {
  SubjectFields,
  SubjectLookup,
  SubjectState,
  SubjectStore,
} from './users/domain/subject-store.ts';
export type { UserChange, UserChangeSource } from './users/domain/user-change.ts';
