export { pruneOwnershipEnds } from './connector-owners.ts';
export {
  type CredentialOwner,
  narrowToOwner,
  type OwnerFilter,
  type OwnerToBe,
  ownerOfInitialAccessToken,
  setOwner,
} from './credential-owners.ts';
