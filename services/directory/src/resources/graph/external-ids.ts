import type { StoredResource } from '../domain/stored-resource.ts';

/** The ids by which identity sources know a resource. */
export const externalIds = (resource: StoredResource) =>
  Object.entries(resource.externalIds).map(([source, value]) => ({ source, value }));
