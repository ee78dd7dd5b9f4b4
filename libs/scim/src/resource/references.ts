import { isJsonObject, type JsonValue, ownValue, type Resource } from '../json.ts';
import type { Attribute } from '../schema/attribute.ts';
import type { SchemaRegistry } from '../schema/registry.ts';

/** The resource types that a reference can point to here (RFC 7643 §7 referenceTypes). */
const endpoints = { User: 'Users', Group: 'Groups' } as const;

export type ReferencedType = keyof typeof endpoints;

/** A resource that another one names. */
export interface ResourceReference {
  readonly type: ReferencedType;
  readonly id: string;
  /** The attribute that names it: `urn:…:User:buddy`. */
  readonly at: string;
}

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const bareId = new RegExp(`^${uuid}$`, 'i');
const address = new RegExp(`^(?:[^?#]*/)?(Users|Groups)/(${uuid})$`, 'i');

/** The types of resources that the attribute's values may name; none for links to elsewhere. */
export function referencedTypes(attribute: Attribute): readonly ReferencedType[] {
  // The server makes every $ref itself, out of the value beside it.
  if (attribute.type !== 'reference' || attribute.name === '$ref') return [];
  return (attribute.referenceTypes ?? []).filter((type): type is ReferencedType =>
    Object.hasOwn(endpoints, type),
  );
}

/**
 * The normal form of a reference to a resource, `../Users/{id}`, which is relative to the resource that holds it
 * (RFC 7643 §2.3.7); undefined for any other text. It may be given relative, as an address with a host, or, where one
 * type only is possible, as the bare id. Whose host it is doesn't matter: it is the tenant that is looked in.
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
 * The resources that a resource in normal form names: by attributes of type reference, and as its manager (RFC 7643
 * §4.3), whose `value` is the id of a User. A manager that isn't a UUID is none of ours: HR systems send numbers and
 * addresses there.
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
