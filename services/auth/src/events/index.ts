export { closedDoors, tellOfClosedDoors } from './domain/closed-doors.ts';
export { type CredentialChange, passkeyChange, tellOfCredentials } from './domain/credential-changes.ts';
export { tellOfDirectory } from './domain/directory-facts.ts';
export { readingScopeOf } from './domain/event-scopes.ts';
export {
  directoryFactTypes,
  type Fact,
  type FactSubject,
  type FactType,
  factTypes,
  type SubjectKind,
  subjectKeyOf,
} from './domain/facts.ts';
export { tellOfEndedClient, tellOfEndedGrants } from './domain/grant-ends.ts';
export { type NewDelivery, type ReceiverKind, receiverKinds } from './domain/new-delivery.ts';
export { type Cursor, giveWay } from './domain/order.ts';
export { type LogoutPayload, tellOfEndedSessions } from './domain/session-ends.ts';
