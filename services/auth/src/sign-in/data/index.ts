export { PostgresCredentialSummaries } from './credential-summaries.ts';
export { passwordStore, pruneCredentials } from './credentials.ts';
export { RedisInteractions } from './interactions.ts';
export { deleteInvitations, invitationStore, pruneInvitations } from './invitations.ts';
export { RedisKnownNetworks } from './known-networks.ts';
export { passkeyStore } from './passkeys.ts';
export { secondFactorStore } from './second-factors.ts';
export { addSignInCounts, pruneSignInCounts, signInCounts } from './sign-in-counts.ts';
