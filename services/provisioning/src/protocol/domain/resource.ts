import type { JsonObject } from '@ostiary/scim';

export type ResourceType = 'User' | 'Group';

export const resourceTypes: readonly ResourceType[] = ['User', 'Group'];

export const endpointOf = (type: ResourceType): 'Users' | 'Groups' => (type === 'User' ? 'Users' : 'Groups');

/** A resource from the directory: canonical names, `meta` without a location. */
export type ScimResource = JsonObject;
