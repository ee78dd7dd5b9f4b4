export { credentialResolvers } from './credentials.ts';
export { invitationResolvers } from './invitations.ts';
export { type CredentialLoaders, credentialLoaders } from './loaders.ts';
