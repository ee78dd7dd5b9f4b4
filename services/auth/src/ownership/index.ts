export { createGroupOwners, endGroupOwner, type GroupOwners } from './domain/group-owners.ts';
export { endOwned, noneOwned } from './domain/owned-credentials.ts';
export { allOwnable, createOwners, type Ownable, ownableBy, type Owners } from './domain/owners.ts';
export { NoSuchOwner } from '../protocol/domain/no-such-owner.ts';
