export { type SigningKeyLoaders, signingKeyLoaders, signingKeyResolvers } from './signing-keys.ts';
