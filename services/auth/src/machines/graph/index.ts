export { mayMakeTokens, personalAccessTokenResolvers } from './personal-access-tokens.ts';
export { serviceAccountResolvers } from './service-accounts.ts';
