export { signingKeyResolvers } from './signing-keys.ts';
