export type { CredentialOwner, OwnedKind, OwnerFilter } from './domain/credential-owner.ts';
export { createGroupOwners, endGroupOwner, type GroupOwners } from './domain/group-owners.ts';
export { endOwned, noneOwned } from './domain/owned-credentials.ts';
export { allOwnable, createOwners, type Ownable, type Owners, ownableBy } from './domain/owners.ts';
