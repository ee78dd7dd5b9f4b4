import { isJsonObject, type JsonObject, type Resource } from '../json.ts';
import type { SchemaRegistry } from '../schema/registry.ts';

/**
 * Returns a stored resource without extensions and attributes that its schemas do not (or no longer) define;
 * the same object if there are none. `schemas` lists the rest.
 */
export function definedOnly(resource: Resource, registry: SchemaRegistry, type: string): Resource {
  const kept = Object.entries(resource).flatMap(([key, value]) => {
    // Only extensions have names with a colon and objects as values.
    if (!key.includes(':') || !isJsonObject(value)) return [[key, value] as const];
    const attributes = Object.entries(value).filter(
      ([name]) => registry.extensionAttribute(type, key, name) !== undefined,
    );
    if (attributes.length === 0) return [];
    const whole = attributes.length === Object.keys(value).length;
    return [[key, whole ? value : (Object.fromEntries(attributes) as JsonObject)] as const];
  });
  if (kept.every(([key, value]) => resource[key] === value) && kept.length === Object.keys(resource).length) {
    return resource;
  }
  const defined: Resource = Object.fromEntries(kept);
  if (!Array.isArray(resource.schemas)) return defined;
  const core = registry.coreSchema(type).id;
  const named = resource.schemas.filter((urn) => urn === core || Object.hasOwn(defined, String(urn)));
  return { ...defined, schemas: named };
}
