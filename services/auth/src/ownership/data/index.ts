export { pruneOwnershipEnds } from './connector-owners.ts';
export {
  narrowToOwner,
  type OwnerToBe,
  ownerOfInitialAccessToken,
  PostgresCredentialOwners,
  setOwner,
} from './credential-owners.ts';
