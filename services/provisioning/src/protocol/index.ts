export { locationOf, present, scimBase, versionOf } from './domain/presentation.ts';
export { type Projection, readProjection, withMeta } from './domain/projection.ts';
export { endpointOf, type ResourceType, resourceTypes, type ScimResource } from './domain/resource.ts';
