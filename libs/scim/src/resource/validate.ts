import { quote, ScimError } from '../errors.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownValue,
  type Resource,
} from '../json.ts';
import type { Attribute } from '../schema/attribute.ts';
import type { SchemaRegistry } from '../schema/registry.ts';
import { isMissing, readValue } from './values.ts';

export interface ValidateOptions {
  /** The stored resource, for `replace`: immutable attributes that have a value must keep it. */
  current?: Resource;
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
  resource.schemas = schemasOf(resource, registry, type);
  requireAttributes(resource, registry, type);
  if (mode === 'replace' && options.current !== undefined)
    keepImmutable(resource, options.current, registry, type);
  return resource;
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
    if (isJsonObject(value)) requireIn(value, schema.attributes, `${schema.id}:`);
    else if (required) throw ScimError.invalidValue(`The extension ${schema.id} is required.`);
  }
}

function requireIn(owner: JsonObject, attributes: readonly Attribute[], prefix: string): void {
  for (const attribute of attributes) {
    if (
      attribute.required &&
      attribute.mutability !== 'readOnly' &&
      isMissing(ownValue(owner, attribute.name))
    ) {
      throw ScimError.invalidValue(`${prefix}${attribute.name} is required.`);
    }
  }
}

/** RFC 7643 §3: `schemas` names the core schema, and nothing that the type doesn't have. */
function checkSchemas(value: JsonValue | undefined, registry: SchemaRegistry, type: string): void {
  const core = registry.coreSchema(type).id;
  if (!Array.isArray(value)) throw ScimError.invalidSyntax(`"schemas" must be an array that holds ${core}.`);
  const known = value.map((urn) => {
    const canonical = typeof urn === 'string' ? registry.schemaOf(type, urn) : undefined;
    if (canonical === undefined) {
      throw ScimError.invalidSyntax(`"schemas" holds ${quote(String(urn))}, which is no schema of ${type}.`);
    }
    return canonical;
  });
  if (!known.includes(core)) throw ScimError.invalidSyntax(`"schemas" must hold ${core}.`);
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
    // A whole value may go; one that stays keeps its immutable parts.
    if (isJsonObject(has)) keepIn(has, had, attribute.subAttributes ?? [], `${prefix}${attribute.name}.`);
  }
}
