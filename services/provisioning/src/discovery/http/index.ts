export { readResourceTypes } from './resource-types.ts';
export { readSchemas } from './schemas.ts';
export { readServiceProviderConfig } from './service-provider-config.ts';
