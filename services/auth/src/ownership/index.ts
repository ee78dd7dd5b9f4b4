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
export {
  type ClientAnnouncements,
  endOwned,
  noneOwned,
  type OwnershipPorts,
} from './domain/owned-credentials.ts';
export type { OwnerCheckStore } from './domain/owner-checks.ts';
export {
  allOwnable,
  DirectoryOwners,
  type Ownable,
  type Owners,
  ownableBy,
} from './domain/owners.ts';
