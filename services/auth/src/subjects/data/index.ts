export { createAddressOwners } from './address-owners.ts';
export { createRevocationJournal, type RevocationJournal } from './revocation-journal.ts';
export {
  lifetimeNotedEverySeconds,
  noteTokenLifetime,
  pruneRevocations,
  pruneTokenLifetimes,
} from './revocations.ts';
export { lockSubjectForIssuing } from './subjects.ts';
export { rekeyUserNames } from './user-names.ts';
