export { type LinkLoaders, linkLoaders, provisioningResolvers } from './provisioning.ts';
