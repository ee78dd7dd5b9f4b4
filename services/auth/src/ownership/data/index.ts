export { postgresConnectorOwners, pruneOwnershipEnds } from './connector-owners.ts';
export {
  narrowToOwner,
  ownerOfInitialAccessToken,
  PostgresCredentialOwners,
  postgresCredentialOwners,
  setOwner,
} from './credential-owners.ts';
export { postgresOwnerChecks } from './owner-checks.ts';
export { postgresOwnerTransfers } from './owner-transfer.ts';
