export { type CarriedRoles, carriedByAll } from './domain/carried-roles.ts';
export type { ChangedPeople, PersonKey } from './domain/changed-people.ts';
export type { ClientWithSessions, ClosedDoors, DoorCounts, OwnedCounts } from './domain/closed-doors.ts';
export {
  attributeOfClaim,
  type DirectoryAttributes,
  directoryClaimsOf,
  isBlank,
} from './domain/directory-claims.ts';
export {
  type DirectoryGroups,
  directoryGroups,
  type MembersAnswer,
  mostGroups,
  mostMembers,
} from './domain/directory-groups.ts';
export { type DirectoryUser, newsFromDirectory, profileOf } from './domain/directory-user.ts';
export { FeedWaiting } from './domain/feed-waiting.ts';
export {
  type NewRevocation,
  type RevocationFeed,
  type RevocationJournal,
  revocationExpiry,
} from './domain/revocation-feed.ts';
export type { Subject, SubjectProfile, Subjects } from './domain/subject.ts';
export type { NewsSource, SubjectNews } from './domain/subject-news.ts';
export type { SubjectFields, SubjectState, SubjectStore } from './domain/subject-store.ts';
