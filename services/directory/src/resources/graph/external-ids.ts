import type { StoredResource } from '../domain/stored-resource.ts';

export const externalIds = (resource: StoredResource) =>
  Object.entries(resource.externalIds).map(([source, value]) => ({ source, value }));
