export { clientResolvers } from './clients.ts';
export { initialAccessTokenResolvers } from './initial-access-tokens.ts';
