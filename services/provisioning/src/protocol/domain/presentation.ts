import { issuerOf } from '@ostiary/access';
import { isJsonObject, type JsonObject, type JsonValue } from '@ostiary/scim';
import { type Projection, trimMeta, wants } from './projection.ts';
import { endpointOf, type ResourceType, type ScimResource } from './resource.ts';

/** Returns the base of a tenant's SCIM addresses, from the configuration and never from a request header. */
export const scimBase = (publicOrigin: string, tenant: string): string =>
  `${issuerOf(publicOrigin, tenant)}/scim/v2`;

export const locationOf = (base: string, type: ResourceType, id: string): string =>
  `${base}/${endpointOf(type)}/${id}`;

/** Returns the resource's version (RFC 7643 §3.1), which is also its ETag. */
export function versionOf(resource: ScimResource): string | undefined {
  const version = isJsonObject(resource.meta) ? resource.meta.version : undefined;
  return typeof version === 'string' ? version : undefined;
}

/**
 * Returns the resource for clients: with its own address and those of referenced resources, and without attributes
 * that were not requested.
 */
export function present(base: string, type: ResourceType, resource: ScimResource, projection: Projection) {
  const meta = isJsonObject(resource.meta)
    ? { ...resource.meta, location: locationOf(base, type, String(resource.id)) }
    : undefined;
  const complete: JsonObject = withReferences(base, type, resource, projection);
  return trimMeta(meta ? { ...complete, meta } : complete, projection);
}

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

function withReferences(
  base: string,
  type: ResourceType,
  resource: ScimResource,
  projection: Projection,
): JsonObject {
  const result: JsonObject = { ...resource };
  if (type === 'Group' && Array.isArray(resource.members) && wants(projection, 'members.$ref')) {
    result.members = resource.members.map((entry) => referenced(base, entry));
  }
  if (type === 'User' && Array.isArray(resource.groups) && wants(projection, 'groups.$ref')) {
    result.groups = resource.groups.map((entry) => referenced(base, entry, 'Group'));
  }
  const extension = resource[enterprise];
  if (isJsonObject(extension) && isJsonObject(extension.manager) && wants(projection, 'manager.$ref')) {
    result[enterprise] = { ...extension, manager: referenced(base, extension.manager, 'User') };
  }
  return result;
}

function referenced(base: string, entry: JsonValue, fixed?: ResourceType): JsonValue {
  if (!isJsonObject(entry) || typeof entry.value !== 'string') return entry;
  const type = fixed ?? (entry.type === 'Group' ? 'Group' : 'User');
  return { ...entry, $ref: locationOf(base, type, entry.value) };
}
