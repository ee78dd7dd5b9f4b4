import { ScimError, weakEtag } from '@ostiary/scim';
import type { ResourceType } from '../../schemas/index.ts';
import { directSource } from './commands.ts';
import type { Attributes, StoredResource } from './stored-resource.ts';

/** Returns the SCIM resource for one source, without attributes that are computed from other rows. */
export function represent(
  stored: StoredResource,
  type: ResourceType,
  source: string = directSource,
): Attributes {
  const externalId = Object.hasOwn(stored.externalIds, source) ? stored.externalIds[source] : undefined;
  return {
    ...stored.data,
    id: stored.id,
    ...(externalId !== undefined && { externalId }),
    meta: {
      resourceType: type,
      created: stored.createdAt.toISOString(),
      lastModified: stored.updatedAt.toISOString(),
      version: weakEtag(stored.version),
    },
  };
}

/** The stored part of a resource: without the server's attributes, those with rows of their own, and secrets. */
export interface Content {
  data: Attributes;
  externalId: string | undefined;
}

/** Returns the parts of a resource to store. @throws ScimError invalidValue when it is too large */
export function contentOf(resource: Attributes): Content {
  const { id, meta, externalId, password, groups, members, ...data } = resource;
  void [id, meta, password, groups, members];
  if (Buffer.byteLength(JSON.stringify(data)) > largestResource) {
    throw ScimError.invalidValue(`A resource must not be larger than ${largestResource} bytes.`);
  }
  return { data, externalId: typeof externalId === 'string' && externalId !== '' ? externalId : undefined };
}

/** Maximum size of a resource in bytes of JSON, without its members. */
const largestResource = 256 * 1024;

/** Returns the external ids after one source has set or cleared its own. */
export function withExternalId(
  externalIds: Record<string, string>,
  source: string,
  externalId: string | undefined,
): Record<string, string> {
  const { [source]: _, ...others } = externalIds;
  return externalId === undefined ? others : { ...others, [source]: externalId };
}
