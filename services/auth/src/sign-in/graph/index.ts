export { credentialResolvers } from './credentials.ts';
export { invitationResolvers } from './invitations.ts';
