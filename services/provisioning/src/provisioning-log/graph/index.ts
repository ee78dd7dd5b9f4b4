export { type LogLoaders, logLoaders } from './loaders.ts';
export { provisioningLogResolvers } from './provisioning-log.ts';
