export { closedDoors, type ReportedDeparture } from './domain/closed-doors.ts';
export { type CredentialChange, passkeyChange } from './domain/credential-changes.ts';
export { DirectoryFacts } from './domain/directory-facts.ts';
export { EventPublisher } from './domain/event-publisher.ts';
export { readingScopeOf } from './domain/event-scopes.ts';
export { type FactCursors, type LockedCursor, type OrderedSubject, orderKey } from './domain/fact-cursors.ts';
export {
  directoryFactTypes,
  type Fact,
  type FactSubject,
  type FactType,
  factTypes,
  type SubjectKind,
  subjectKeyOf,
} from './domain/facts.ts';
export { type NewDelivery, type ReceiverKind, receiverKinds } from './domain/new-delivery.ts';
export { type Cursor, giveWay } from './domain/order.ts';
export type { EndedSession, LogoutPayload } from './domain/session-ends.ts';
