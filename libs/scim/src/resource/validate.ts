import { quote, ScimError } from '../errors.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownValue,
  type Resource,
} from '../json.ts';
import { type Attribute, isSecret } from '../schema/attribute.ts';
import type { SchemaRegistry } from '../schema/registry.ts';
import { isMissing } from './assigned.ts';
import { readValue } from './values.ts';

export interface ValidateOptions {
  /**
   * The stored resource, for `replace`: immutable attributes with a value must keep it, and extension
   * attributes that a client cannot know or set (never returned, readOnly) stay if absent.
   */
  current?: Resource;
  /**
   * Whether required attributes may be missing: the resource is validated again together with the stored one.
   */
  incomplete?: boolean;
}

/**
 * Reads the body of a POST (`create`) or PUT (`replace`) into a resource in normal form: canonical names in
 * schema order, unknown and readOnly attributes dropped (RFC 7644 §3.3, §3.5.1), types checked, `schemas` listing
 * the core schema and the extensions that have values. `password` stays in, so take it out before storing.
 * @throws ScimError invalidSyntax for a body that isn't such a resource, invalidValue, mutability.
 */
export function validateResource(
  body: unknown,
  registry: SchemaRegistry,
  type: string,
  mode: 'create' | 'replace',
  options: ValidateOptions = {},
): Resource {
  if (!isJsonObject(body)) throw ScimError.invalidSyntax('The body must be a JSON object.');
  const members = caseless(body);
  checkSchemas(members.get('schemas'), registry, type);
  const resource: Resource = { schemas: [] };
  readAttributes(registry.attributes(type), members, '', resource);
  const extensions = registry.extensions(type);
  for (const extension of extensions) {
    const urn = extension.schema.id;
    const value = readExtension(extension.schema.attributes, members.get(urn.toLowerCase()), urn);
    if (value !== undefined) resource[urn] = value;
  }
  const current = mode === 'replace' ? options.current : undefined;
  if (current !== undefined) keepUnasserted(resource, current, registry, type);
  if (!options.incomplete) requireAttributes(resource, registry, type);
  if (current !== undefined) keepImmutable(resource, current, registry, type);
  return inSchemaOrder(resource, registry, type);
}

/** Keys in lower case (names are case-insensitive, RFC 7643 §2.1). @throws ScimError invalidSyntax when two meet. */
export function caseless(object: JsonObject): ReadonlyMap<string, JsonValue> {
  const members = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(object)) {
    const name = key.toLowerCase();
    if (members.has(name)) throw ScimError.invalidSyntax(`${quote(key)} is given twice.`);
    members.set(name, value);
  }
  return members;
}

/** The type's core schema and the extensions that the resource has values of. */
export function schemasOf(resource: Resource, registry: SchemaRegistry, type: string): string[] {
  const present = registry
    .extensions(type)
    .filter((extension) => Object.hasOwn(resource, extension.schema.id));
  return [registry.coreSchema(type).id, ...present.map((extension) => extension.schema.id)];
}

/** @throws ScimError invalidValue when a required attribute or extension has no value. */
export function requireAttributes(resource: Resource, registry: SchemaRegistry, type: string): void {
  requireIn(resource, registry.attributes(type), '');
  for (const { schema, required } of registry.extensions(type)) {
    const value = ownValue(resource, schema.id);
    // Values set only by the server do not count as use of the extension by the client.
    const used = isJsonObject(value) && schema.attributes.some((attribute) => isAsserted(value, attribute));
    if (used) requireIn(value, schema.attributes, `${schema.id}:`);
    else if (required) throw ScimError.invalidValue(`The extension ${schema.id} is required.`);
  }
}

const isAsserted = (owner: JsonObject, attribute: Attribute): boolean =>
  attribute.mutability !== 'readOnly' && ownValue(owner, attribute.name) !== undefined;

function requireIn(owner: JsonObject, attributes: readonly Attribute[], prefix: string): void {
  for (const attribute of attributes) {
    const { name, required, mutability, withheld } = attribute;
    if (!required || (mutability === 'readOnly' && !withheld) || !isMissing(ownValue(owner, name))) continue;
    throw ScimError.invalidValue(
      withheld
        ? `${prefix}${name} is required, and is not writable by this client.`
        : `${prefix}${name} is required.`,
    );
  }
}

/** RFC 7643 §3: `schemas` lists the core schema, and only schemas of the type. */
function checkSchemas(value: JsonValue | undefined, registry: SchemaRegistry, type: string): void {
  const core = registry.coreSchema(type).id;
  if (!Array.isArray(value))
    throw ScimError.invalidSyntax(`"schemas" must be an array that contains ${core}.`);
  const known = value.map((urn) => {
    const canonical = typeof urn === 'string' ? registry.schemaOf(type, urn) : undefined;
    if (canonical === undefined) {
      throw ScimError.invalidSyntax(
        `"schemas" contains ${quote(String(urn))}, which is not a schema of ${type}.`,
      );
    }
    return canonical;
  });
  if (!known.includes(core)) throw ScimError.invalidSyntax(`"schemas" must contain ${core}.`);
}

function readExtension(
  attributes: readonly Attribute[],
  value: JsonValue | undefined,
  urn: string,
): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw ScimError.invalidValue(`${urn} must be an object.`);
  const extension: JsonObject = {};
  readAttributes(attributes, caseless(value), `${urn}:`, extension);
  return Object.keys(extension).length === 0 ? undefined : extension;
}

function readAttributes(
  attributes: readonly Attribute[],
  members: ReadonlyMap<string, JsonValue>,
  prefix: string,
  target: JsonObject,
): void {
  for (const attribute of attributes) {
    const value = members.get(attribute.name.toLowerCase());
    if (value === undefined || attribute.mutability === 'readOnly' || attribute.name === 'schemas') continue;
    const read = readValue(attribute, value, `${prefix}${attribute.name}`);
    if (read !== undefined) target[attribute.name] = read;
  }
}

/**
 * RFC 7644 §3.5.1 clears attributes absent from a PUT only if the client could have sent them. In the core
 * schemas all others are computed or no part of the resource.
 */
function keepUnasserted(resource: Resource, current: Resource, registry: SchemaRegistry, type: string): void {
  keepUnassertedIn(resource, current, registry.attributes(type).filter(isWithheld));
  for (const { schema } of registry.extensions(type)) {
    const before = ownValue(current, schema.id);
    if (!isJsonObject(before)) continue;
    const sent = ownValue(resource, schema.id);
    const after: JsonObject = isJsonObject(sent) ? sent : {};
    keepUnassertedIn(after, before, schema.attributes);
    if (Object.keys(after).length > 0) resource[schema.id] = after;
  }
}

/** Reports whether this client may not write the attribute, or a part of it. */
export const isWithheld = ({ withheld, subAttributes }: Attribute): boolean =>
  withheld === true || subAttributes?.some((sub) => sub.withheld) === true;

function keepUnassertedIn(after: JsonObject, before: JsonObject, attributes: readonly Attribute[]): void {
  for (const attribute of attributes) {
    const had = ownValue(before, attribute.name);
    const has = ownValue(after, attribute.name);
    if (had === undefined) continue;
    if (attribute.mutability === 'readOnly' || (has === undefined && isSecret(attribute))) {
      after[attribute.name] = had;
    } else if (
      attribute.type === 'complex' &&
      isJsonObject(had) &&
      (has === undefined || isJsonObject(has))
    ) {
      const parts: JsonObject = { ...has };
      keepUnassertedIn(parts, had, attribute.subAttributes ?? []);
      if (Object.keys(parts).length > 0)
        after[attribute.name] = inOrder(parts, attribute.subAttributes ?? []);
    }
  }
}

/** Returns the resource with computed `schemas`, and extensions with their attributes in schema order. */
function inSchemaOrder(resource: Resource, registry: SchemaRegistry, type: string): Resource {
  const ordered: Resource = { ...resource, schemas: schemasOf(resource, registry, type) };
  for (const { schema } of registry.extensions(type)) {
    const value = ownValue(ordered, schema.id);
    if (isJsonObject(value)) ordered[schema.id] = inOrder(value, schema.attributes);
  }
  return ordered;
}

function inOrder(owner: JsonObject, attributes: readonly Attribute[]): JsonObject {
  const entries = attributes.flatMap(({ name }): [string, JsonValue][] => {
    const value = ownValue(owner, name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

/** RFC 7644 §3.5.1: an immutable attribute that has a value must be sent with the same value. */
function keepImmutable(resource: Resource, current: Resource, registry: SchemaRegistry, type: string): void {
  keepIn(resource, current, registry.attributes(type), '');
  for (const { schema } of registry.extensions(type)) {
    const before = ownValue(current, schema.id);
    const after = ownValue(resource, schema.id);
    if (isJsonObject(before)) {
      keepIn(isJsonObject(after) ? after : {}, before, schema.attributes, `${schema.id}:`);
    }
  }
}

function keepIn(
  after: JsonObject,
  before: JsonObject,
  attributes: readonly Attribute[],
  prefix: string,
): void {
  for (const attribute of attributes) {
    const had = ownValue(before, attribute.name);
    const has = ownValue(after, attribute.name);
    if (attribute.mutability === 'immutable' && had !== undefined && !jsonEqual(had, has)) {
      throw ScimError.mutability(`${prefix}${attribute.name} is immutable.`);
    }
    if (attribute.type !== 'complex' || attribute.multiValued || !isJsonObject(had)) continue;
    // Elements of a multi-valued attribute may be removed as a whole; a single value would be changed.
    keepIn(isJsonObject(has) ? has : {}, had, attribute.subAttributes ?? [], `${prefix}${attribute.name}.`);
  }
}
