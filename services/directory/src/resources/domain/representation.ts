import { ScimError, weakEtag } from '@ostiary/scim';
import type { ResourceType } from '../../schemas/index.ts';
import { directSource } from './commands.ts';
import type { Attributes, StoredResource } from './stored-resource.ts';

/** The SCIM resource as one source sees it, without what is computed from other rows. */
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

/** What a resource says itself: neither the server's attributes, nor what lives in rows of its own, nor secrets. */
export interface Content {
  data: Attributes;
  externalId: string | undefined;
}

/** Takes a resource apart for storing. @throws ScimError invalidValue when it is too large */
export function contentOf(resource: Attributes): Content {
  const { id, meta, externalId, password, groups, members, ...data } = resource;
  void [id, meta, password, groups, members];
  if (Buffer.byteLength(JSON.stringify(data)) > largestResource) {
    throw ScimError.invalidValue(`A resource must not be larger than ${largestResource} bytes.`);
  }
  return { data, externalId: typeof externalId === 'string' && externalId !== '' ? externalId : undefined };
}

/** Largest resource, in bytes of JSON, without its members. */
const largestResource = 256 * 1024;

/** The ids all sources know it by, after one of them said its own. */
export function withExternalId(
  externalIds: Record<string, string>,
  source: string,
  externalId: string | undefined,
): Record<string, string> {
  const { [source]: _, ...others } = externalIds;
  return externalId === undefined ? others : { ...others, [source]: externalId };
}
