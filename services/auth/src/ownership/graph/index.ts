export { ownershipResolvers, ownerToBe } from './ownership.ts';
