import { isJsonObject, type JsonValue, ownValue, type Resource } from '../json.ts';
import type { Attribute } from '../schema/attribute.ts';
import type { SchemaRegistry } from '../schema/registry.ts';

/** Resource types to which a reference can point (RFC 7643 §7 referenceTypes). */
const endpoints = { User: 'Users', Group: 'Groups' } as const;

export type ReferencedType = keyof typeof endpoints;

/** A resource named by another one. */
export interface ResourceReference {
  readonly type: ReferencedType;
  readonly id: string;
  /** The referring attribute: `urn:…:User:buddy`. */
  readonly at: string;
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const bareId = new RegExp(`^${uuid}$`, 'i');
const address = new RegExp(`^(?:[^?#]*/)?(Users|Groups)/(${uuid})$`, 'i');

/** Returns the resource types that the attribute's values may name; none for external links. */
export function referencedTypes(attribute: Attribute): readonly ReferencedType[] {
  // The server computes every $ref from the value beside it.
  if (attribute.type !== 'reference' || attribute.name === '$ref') return [];
  return (attribute.referenceTypes ?? []).filter((type): type is ReferencedType =>
    Object.hasOwn(endpoints, type),
  );
}

/**
 * Returns the normal form of a reference to a resource, `../Users/{id}`, relative to the resource that has it
 * (RFC 7643 §2.3.7); undefined for any other text. Accepts a relative form, a URL with a host, and, if only
 * one type is possible, the id alone. The host is ignored: only the tenant itself is searched.
 */
export function canonicalReference(attribute: Attribute, text: string): string | undefined {
  const types = referencedTypes(attribute);
  const [only] = types;
  if (types.length === 1 && only !== undefined && bareId.test(text)) {
    return `../${endpoints[only]}/${text.toLowerCase()}`;
  }
  const [, endpoint, id] = address.exec(text) ?? [];
  const type = types.find((type) => endpoints[type].toLowerCase() === endpoint?.toLowerCase());
  return type === undefined || id === undefined ? undefined : `../${endpoints[type]}/${id.toLowerCase()}`;
}

/**
 * Returns the resources that a resource in normal form names: by attributes of type reference, and as its
 * manager (RFC 7643 §4.3), whose `value` is the id of a User. A manager that is not a UUID is external: HR
 * systems send numbers and URLs there.
 */
export function referencesOf(
  resource: Resource,
  registry: SchemaRegistry,
  type: string,
): ResourceReference[] {
  const found: ResourceReference[] = [];
  collect(resource, registry.attributes(type), '', found);
  for (const { schema } of registry.extensions(type)) {
    const value = ownValue(resource, schema.id);
    if (isJsonObject(value)) collect(value, schema.attributes, `${schema.id}:`, found);
  }
  return found;
}

function collect(
  owner: { [key: string]: JsonValue },
  attributes: readonly Attribute[],
  prefix: string,
  found: ResourceReference[],
): void {
  for (const attribute of attributes) {
    const value = ownValue(owner, attribute.name);
    if (value === undefined) continue;
    const at = `${prefix}${attribute.name}`;
    for (const element of Array.isArray(value) ? value : [value]) {
      if (isJsonObject(element)) collect(element, attribute.subAttributes ?? [], `${at}.`, found);
      else if (typeof element === 'string') collectText(attribute, element, at, found);
    }
  }
}

function collectText(attribute: Attribute, text: string, at: string, found: ResourceReference[]): void {
  if (attribute.namesUser === true) {
    if (bareId.test(text)) found.push({ type: 'User', id: text.toLowerCase(), at });
    return;
  }
  if (canonicalReference(attribute, text) !== text) return;
  const [, endpoint = '', id = ''] = address.exec(text) ?? [];
  found.push({ type: endpoint === endpoints.User ? 'User' : 'Group', id, at });
}
