export { createGroupOwners, endGroupOwner, type GroupOwners } from './domain/group-owners.ts';
export { endOwned, noneOwned } from './domain/owned-credentials.ts';
export {
  allOwnable,
  createOwners,
  NoSuchOwner,
  type Ownable,
  type Owners,
  ownableBy,
} from './domain/owners.ts';
