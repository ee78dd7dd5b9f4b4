export { type MachineLoaders, machineLoaders } from './loaders.ts';
export { mayMakeTokens, personalAccessTokenResolvers } from './personal-access-tokens.ts';
export { serviceAccountResolvers } from './service-accounts.ts';
export { tokenResolvers } from './tokens.ts';
