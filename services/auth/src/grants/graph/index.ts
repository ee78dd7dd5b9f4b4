export { tokenResolvers } from './tokens.ts';
