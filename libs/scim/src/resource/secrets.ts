import { isJsonObject, type JsonObject, type JsonValue, ownValue, type Resource } from '../json.ts';
import { type Attribute, isSecret } from '../schema/attribute.ts';
import type { SchemaRegistry } from '../schema/registry.ts';

/** Returns the replacement of a value. @param path the attribute's full name */
export type Hide = (value: JsonValue, path: string) => JsonValue;

/**
 * Returns the resource with every value that is never returned replaced by `hide`, for logs, which are
 * retained longer and have other readers.
 */
export function withoutSecrets(
  resource: Resource,
  registry: SchemaRegistry,
  type: string,
  hide: Hide,
): Resource {
  const shown = hideIn(resource, registry.attributes(type), '', hide);
  for (const { schema } of registry.extensions(type)) {
    const value = ownValue(resource, schema.id);
    if (isJsonObject(value)) shown[schema.id] = hideIn(value, schema.attributes, `${schema.id}:`, hide);
  }
  return shown;
}

function hideIn(owner: JsonObject, attributes: readonly Attribute[], prefix: string, hide: Hide): JsonObject {
  const shown: JsonObject = { ...owner };
  for (const attribute of attributes) {
    const value = ownValue(owner, attribute.name);
    if (value === undefined) continue;
    if (isSecret(attribute)) shown[attribute.name] = hide(value, `${prefix}${attribute.name}`);
    else if (attribute.subAttributes?.some(isSecret))
      shown[attribute.name] = hideParts(attribute, value, `${prefix}${attribute.name}`, hide);
  }
  return shown;
}

function hideParts(attribute: Attribute, value: JsonValue, path: string, hide: Hide): JsonValue {
  if (Array.isArray(value)) return value.map((element) => hideParts(attribute, element, path, hide));
  return isJsonObject(value) ? hideIn(value, attribute.subAttributes ?? [], `${path}.`, hide) : value;
}
