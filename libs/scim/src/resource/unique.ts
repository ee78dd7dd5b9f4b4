import { isJsonObject, type JsonValue, ownValue, type Resource } from '../json.ts';
import { type Attribute, comparisonForm, isText } from '../schema/attribute.ts';
import type { SchemaRegistry } from '../schema/registry.ts';

/**
 * Returns one text per value that must be unique in the tenant (RFC 7643 §2.2 uniqueness), sorted: the
 * attribute's full name, `=`, and the value in its form for comparison. Only for extension attributes; the
 * core ones have their own columns. `global` is treated as `server`, within the tenant, because values of
 * other tenants must not be disclosed.
 */
export function uniqueKeys(resource: Resource, registry: SchemaRegistry, type: string): string[] {
  const keys = new Set<string>();
  for (const { schema } of registry.extensions(type)) {
    const value = ownValue(resource, schema.id);
    if (isJsonObject(value)) collect(value, schema.attributes, `${schema.id}:`, keys);
  }
  return [...keys].sort();
}

function collect(
  owner: { [key: string]: JsonValue },
  attributes: readonly Attribute[],
  prefix: string,
  keys: Set<string>,
): void {
  for (const attribute of attributes) {
    const value = ownValue(owner, attribute.name);
    if (value === undefined) continue;
    const path = `${prefix}${attribute.name}`;
    for (const element of Array.isArray(value) ? value : [value]) {
      if (isJsonObject(element)) collect(element, attribute.subAttributes ?? [], `${path}.`, keys);
      else if (attribute.uniqueness !== 'none') keys.add(`${path}=${comparable(attribute, element)}`);
    }
  }
}

const comparable = (attribute: Attribute, value: JsonValue): string =>
  isText(attribute) ? comparisonForm(attribute, String(value)) : String(value);
