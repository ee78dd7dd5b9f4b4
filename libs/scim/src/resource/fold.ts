import { isJsonObject, type JsonObject, type JsonValue, ownValue, type Resource } from '../json.ts';
import { type Attribute, comparisonForm, isText } from '../schema/attribute.ts';
import type { SchemaRegistry } from '../schema/registry.ts';

/**
 * Returns the resource with every string in its form for comparison, the content of a search column, so that
 * one GIN index serves `eq` on any attribute. See `SqlMapping.folded`.
 */
export function foldResource(resource: Resource, registry: SchemaRegistry, type: string): Resource {
  const folded = foldMembers(registry.attributes(type), resource);
  for (const { schema } of registry.extensions(type)) {
    const value = ownValue(resource, schema.id);
    if (isJsonObject(value)) folded[schema.id] = foldMembers(schema.attributes, value);
  }
  return folded;
}

function foldMembers(attributes: readonly Attribute[], owner: JsonObject): JsonObject {
  const folded: JsonObject = {};
  for (const attribute of attributes) {
    const value = ownValue(owner, attribute.name);
    if (value !== undefined) folded[attribute.name] = foldValue(attribute, value);
  }
  return folded;
}

function foldValue(attribute: Attribute, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((element) => foldValue(attribute, element));
  if (isJsonObject(value)) return foldMembers(attribute.subAttributes ?? [], value);
  return typeof value === 'string' && isText(attribute) ? comparisonForm(attribute, value) : value;
}
