import { isJsonObject, type JsonObject, ScimError } from '@ostiary/scim';
import { withoutSchema } from '../../compatibility/index.ts';

/** The requested attributes of a response (RFC 7644 §3.9); at most one of the two. */
export interface Projection {
  attributes?: readonly string[];
  excludedAttributes?: readonly string[];
}

const attributeName = /^(?:urn:[\w.:-]+:)?[$A-Za-z][\w$-]*(?:\.[$A-Za-z][\w$-]*)?$/;
const maxListLength = 200;

/**
 * Parses `attributes` and `excludedAttributes`.
 * @throws ScimError invalidValue when both are given, or for an impossible name
 */
export function readProjection(attributes: unknown, excludedAttributes: unknown): Projection {
  const included = names(attributes, 'attributes');
  const excluded = names(excludedAttributes, 'excludedAttributes');
  if (included.length > 0 && excluded.length > 0) {
    throw ScimError.invalidValue('"attributes" and "excludedAttributes" must not be combined.');
  }
  if (included.length > 0) return { attributes: included };
  return excluded.length > 0 ? { excludedAttributes: excluded } : {};
}

/** Parses a comma-separated text (query), several of them, or an array (SearchRequest). */
function names(given: unknown, parameter: string): string[] {
  if (given === undefined || given === null) return [];
  const texts = Array.isArray(given) ? given : [given];
  if (!texts.every((text): text is string => typeof text === 'string')) {
    throw ScimError.invalidValue(`"${parameter}" must be a list of attribute names.`);
  }
  const list = texts.flatMap((text) => text.split(',')).map((text) => text.trim());
  const named = list.filter((text) => text !== '');
  if (named.length > maxListLength)
    throw ScimError.invalidValue(`"${parameter}" must name at most ${maxListLength} attributes.`);
  const wrong = named.find((text) => !attributeName.test(text));
  if (wrong !== undefined) throw ScimError.invalidValue(`"${parameter}" contains an invalid attribute name.`);
  return named;
}

/**
 * Returns the projection for the directory: as given, with `meta`, the source of ETag and Location. `trimMeta`
 * removes it again.
 */
export function withMeta(projection: Projection): Projection {
  if (projection.attributes) {
    return asksForMeta(projection) ? projection : { attributes: [...projection.attributes, 'meta'] };
  }
  if (!projection.excludedAttributes) return {};
  const rest = projection.excludedAttributes.filter((name) => !isMeta(name));
  return rest.length > 0 ? { excludedAttributes: rest } : {};
}

/** Removes `meta`, or those of its sub-attributes that were not requested, from a resource. */
export function trimMeta(resource: JsonObject, projection: Projection): JsonObject {
  const { meta } = resource;
  if (!isJsonObject(meta)) return resource;
  const kept = Object.fromEntries(Object.entries(meta).filter(([name]) => wants(projection, `meta.${name}`)));
  const { meta: _, ...rest } = resource;
  return Object.keys(kept).length > 0 ? { ...rest, meta: kept } : rest;
}

/** Reports whether a response contains the sub-attribute `path` (`members.$ref`) of an attribute that it contains. */
export function wants(projection: Projection, path: string): boolean {
  const lower = path.toLowerCase();
  const parent = lower.slice(0, lower.indexOf('.'));
  const named = (name: string): boolean => {
    const bare = withoutSchema(name);
    return bare === lower || bare === parent;
  };
  if (projection.attributes) return projection.attributes.some(named);
  return !projection.excludedAttributes?.some(named);
}

const isMeta = (name: string): boolean => /^meta(\.|$)/.test(withoutSchema(name));

const asksForMeta = ({ attributes }: Projection): boolean =>
  attributes?.some((name) => withoutSchema(name) === 'meta') ?? false;
