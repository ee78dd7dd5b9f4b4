export { PostgresCredentialSummaries } from './credential-summaries.ts';
export { pruneCredentials } from './credentials.ts';
export { deleteInvitations, pruneInvitations } from './invitations.ts';
export { createKnownNetworks } from './known-networks.ts';
export { addSignInCounts, pruneSignInCounts, signInCounts } from './sign-in-counts.ts';
