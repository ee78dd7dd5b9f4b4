import { isJsonObject, type JsonObject, type JsonValue, ownValue, type Resource } from '../json.ts';
import type { Attribute } from '../schema/attribute.ts';
import type { SchemaRegistry } from '../schema/registry.ts';

/** Types whose values are JSON strings (RFC 7643 §2.3). */
const textTypes: ReadonlySet<string> = new Set(['string', 'reference', 'binary', 'dateTime']);

/** Sub-attributes that describe the value of an element (RFC 7643 §2.4). */
const labels: ReadonlySet<string> = new Set(['type', 'primary', 'display', '$ref']);

const isWhitespace = (value: JsonValue | undefined): boolean =>
  typeof value === 'string' && value.trim() === '';

/** Returns whether the value is a blank text for an attribute of text, which leaves it unassigned as null does. */
export const isBlank = (attribute: Attribute, value: JsonValue | undefined): boolean =>
  textTypes.has(attribute.type) && isWhitespace(value);

/** Returns whether a value is missing where one is required: null, or a blank text. */
export const isMissing = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || isWhitespace(value);

/** Returns whether an element of a multi-valued attribute has a value beside the parts that describe it. */
export function hasValue(attribute: Attribute, element: JsonValue): boolean {
  if (!isJsonObject(element)) return element !== null && !isBlank(attribute, element);
  const parts = attribute.subAttributes ?? [];
  const significant = parts.filter(({ name }) => !labels.has(name));
  return (significant.length === 0 ? parts : significant).some((part) =>
    isAssigned(part, ownValue(element, part.name)),
  );
}

/** Returns whether an attribute has a value (RFC 7643 §2.5). */
export function isAssigned(attribute: Attribute, value: JsonValue | undefined): value is JsonValue {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.some((element) => hasValue(attribute, element));
  if (!isJsonObject(value)) return !isBlank(attribute, value);
  return (attribute.subAttributes ?? []).some((part) => isAssigned(part, ownValue(value, part.name)));
}

/** A copy of the resource without elements that have no value, blank texts and empty objects. */
export function assignedOnly(resource: Resource, registry: SchemaRegistry, type: string): Resource {
  const assigned = assignedIn(resource, registry.attributes(type));
  for (const { schema } of registry.extensions(type)) {
    const extension = ownValue(assigned, schema.id);
    if (!isJsonObject(extension)) continue;
    const values = assignedIn(extension, schema.attributes);
    if (Object.keys(values).length > 0) assigned[schema.id] = values;
    else delete assigned[schema.id];
  }
  return assigned;
}

function assignedIn(owner: JsonObject, attributes: readonly Attribute[]): JsonObject {
  const assigned: JsonObject = { ...owner };
  for (const attribute of attributes) {
    const value = ownValue(owner, attribute.name);
    if (value === undefined) continue;
    if (!isAssigned(attribute, value)) delete assigned[attribute.name];
    else if (Array.isArray(value)) {
      assigned[attribute.name] = value.filter((element) => hasValue(attribute, element));
    }
  }
  return assigned;
}
