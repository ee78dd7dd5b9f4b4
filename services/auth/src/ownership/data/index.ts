export { postgresConnectorOwners, pruneOwnershipEnds } from './connector-owners.ts';
export {
  initialAccessTokenId,
  narrowToOwner,
  PostgresCredentialOwners,
  postgresCredentialOwners,
  setOwner,
} from './credential-owners.ts';
export { holdKnowers } from './knowers.ts';
export { postgresKnownSecrets, recordKnown } from './known-secrets.ts';
export { postgresOwnerChecks } from './owner-checks.ts';
export { postgresOwnerTransfers } from './owner-transfer.ts';
