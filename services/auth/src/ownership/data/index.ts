export { pruneOwnershipEnds } from './connector-owners.ts';
export type { CredentialOwner, OwnerFilter } from '../domain/credential-owner.ts';
export { narrowToOwner, ownerOfInitialAccessToken, type OwnerToBe, setOwner } from './credential-owners.ts';
