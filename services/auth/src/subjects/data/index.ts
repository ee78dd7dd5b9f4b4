export { createAddressOwners } from './address-owners.ts';
export { AnnouncedPeople } from './changed-people.ts';
export { PostgresRevocationJournal } from './revocation-journal.ts';
export {
  lifetimeNotedEverySeconds,
  noteTokenLifetime,
  pruneRevocations,
  pruneTokenLifetimes,
} from './revocations.ts';
export { rolesHeld, storedRoles } from './roles-held.ts';
export { lockSubjectForIssuing, postgresSubjects } from './subjects.ts';
export { rekeyUserNames } from './user-names.ts';
