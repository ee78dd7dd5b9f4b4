export type { ConnectorOwnerStore } from './domain/connector-owner.ts';
export type {
  CredentialOwner,
  CredentialOwnerStore,
  OwnedKind,
  OwnerFilter,
  OwnerToBe,
} from './domain/credential-owner.ts';
export { DirectoryGroupOwners, endGroupOwner, type GroupOwners } from './domain/group-owners.ts';
export type { OwnerTransferStore } from './domain/held-credential.ts';
export { endIssuedOnWord } from './domain/issued-on-word.ts';
export {
  type Knowers,
  KnownSecretReader,
  type KnownSecretStore,
  type ReportedSecret,
} from './domain/known-secret.ts';
export { endDueSecrets } from './domain/known-secret-fate.ts';
export { allOwnable, type Ownable, ownableBy } from './domain/ownable.ts';
export { endOwned, noneOwned, type OwnershipPorts } from './domain/owned-credentials.ts';
export type { OwnerCheckStore } from './domain/owner-checks.ts';
export type { ClientAnnouncements } from './domain/owner-going.ts';
export { DirectoryOwners, type Owners } from './domain/owners.ts';
