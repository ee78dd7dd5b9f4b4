import { ScimError } from '../errors.ts';
import { userNameKey } from '../names/mapping.ts';
import type { ShownText } from '../names/shown-text.ts';
import { foldCase } from '../text.ts';

/** Attribute data types (RFC 7643 §2.3). */
export type AttributeType =
  | 'string'
  | 'boolean'
  | 'decimal'
  | 'integer'
  | 'dateTime'
  | 'binary'
  | 'reference'
  | 'complex';

export type Mutability = 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
export type Returned = 'always' | 'never' | 'default' | 'request';
export type Uniqueness = 'none' | 'server' | 'global';

/** An attribute with all its characteristics (RFC 7643 §2.2 and §7). */
export interface Attribute {
  readonly name: string;
  readonly type: AttributeType;
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  /** Suggested values. Values that differ only in case are converted to their spelling. */
  readonly canonicalValues?: readonly string[];
  /**
   * Whether values other than the canonical ones are rejected (RFC 7643 §7 leaves it open). Not part of the
   * published schema.
   */
  readonly restricted: boolean;
  readonly caseExact: boolean;
  readonly mutability: Mutability;
  readonly returned: Returned;
  readonly uniqueness: Uniqueness;
  readonly referenceTypes?: readonly string[];
  /**
   * The value is a User's id, although the type is string (RFC 7643 §4.3 manager). Not part of the published
   * schema.
   */
  readonly namesUser?: boolean;
  /**
   * Values are compared as user names (RFC 8265 §3.3), not only without case. Not part of the published
   * schema.
   */
  readonly isUserName?: boolean;
  /**
   * Use of displayed values, which determines the permitted invisible characters. Not part of the published
   * schema.
   */
  readonly shown?: ShownText;
  /** Only, and always, for type `complex`. */
  readonly subAttributes?: readonly Attribute[];
  /**
   * Writable in general, but not for the client of this view of the schema. Not part of the published schema.
   */
  readonly withheld?: boolean;
  /**
   * Maximum length of a value in UTF-16 code units, which keeps values indexable. Not part of the published
   * schema.
   */
  readonly maxLength: number;
}

/** An attribute as written in a schema; missing characteristics have the defaults of RFC 7643 §2.2. */
export interface AttributeDefinition {
  name: string;
  type?: AttributeType;
  multiValued?: boolean;
  description?: string;
  required?: boolean;
  canonicalValues?: readonly string[];
  restricted?: boolean;
  caseExact?: boolean;
  mutability?: Mutability;
  returned?: Returned;
  uniqueness?: Uniqueness;
  referenceTypes?: readonly string[];
  namesUser?: boolean;
  isUserName?: boolean;
  shown?: ShownText;
  subAttributes?: readonly AttributeDefinition[];
  maxLength?: number;
}

/** A schema (RFC 7643 §7). `id` is its URN. */
export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

export interface SchemaDefinition {
  id: string;
  name: string;
  description?: string;
  attributes: readonly AttributeDefinition[];
}

const types: ReadonlySet<string> = new Set<AttributeType>([
  'string',
  'boolean',
  'decimal',
  'integer',
  'dateTime',
  'binary',
  'reference',
  'complex',
]);
const mutabilities: ReadonlySet<string> = new Set<Mutability>([
  'readOnly',
  'readWrite',
  'immutable',
  'writeOnly',
]);
const returneds: ReadonlySet<string> = new Set<Returned>(['always', 'never', 'default', 'request']);
const uniquenesses: ReadonlySet<string> = new Set<Uniqueness>(['none', 'server', 'global']);

const attributeName = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;
/** URNs that can be distinguished from a following attribute in a path (RFC 7644 §3.10). */
const schemaUrn = /^urn:[A-Za-z0-9][A-Za-z0-9-]{0,31}:[A-Za-z0-9_.:-]{1,200}$/;
const defaultMaxLength = 65_536;
const binaryMaxLength = 1_048_576;

/**
 * Completes and validates a schema definition; tenants write them too.
 * @throws ScimError invalidValue with the mistake.
 */
export function defineSchema(definition: SchemaDefinition): Schema {
  if (typeof definition.id !== 'string' || !schemaUrn.test(definition.id) || definition.id.endsWith(':')) {
    throw ScimError.invalidValue('A schema id is a URN of letters, digits and "-", "_", ".", ":".');
  }
  if (typeof definition.name !== 'string' || definition.name === '') {
    throw ScimError.invalidValue(`Schema ${definition.id} has no name.`);
  }
  return {
    id: definition.id,
    name: definition.name,
    description: definition.description ?? '',
    attributes: defineAttributes(definition.attributes, definition.id),
  };
}

/** Completes attribute definitions with the defaults of RFC 7643 §2.2. `at` names their owner in errors. */
export function defineAttributes(
  definitions: readonly AttributeDefinition[],
  at: string,
): readonly Attribute[] {
  if (!Array.isArray(definitions) || definitions.length === 0 || definitions.length > 500) {
    throw ScimError.invalidValue(`${at} needs between 1 and 500 attributes.`);
  }
  const names = new Set<string>();
  return definitions.map((definition) => {
    const attribute = defineAttribute(definition, at);
    const key = attribute.name.toLowerCase();
    if (names.has(key)) throw ScimError.invalidValue(`${at} defines ${attribute.name} twice.`);
    names.add(key);
    return attribute;
  });
}

function defineAttribute(definition: AttributeDefinition, at: string): Attribute {
  const { name } = definition;
  if (typeof name !== 'string' || !(attributeName.test(name) || name === '$ref') || isReserved(name)) {
    throw ScimError.invalidValue(`${at} has an attribute whose name is not allowed.`);
  }
  const path = `${at}.${name}`;
  const type = oneOf(definition.type ?? 'string', types, path, 'type');
  if ((type === 'complex') !== (definition.subAttributes !== undefined)) {
    throw ScimError.invalidValue(`${path}: sub-attributes belong to type complex, and only to it.`);
  }
  const subAttributes =
    definition.subAttributes === undefined ? undefined : defineAttributes(definition.subAttributes, path);
  // RFC 7643 §2.3.8: a complex attribute must not contain a complex one. Multi-valued parts are not
  // supported.
  if (subAttributes?.some((sub) => sub.type === 'complex' || sub.multiValued)) {
    throw ScimError.invalidValue(`${path}: sub-attributes are simple and have a single value.`);
  }
  const exactType = type === 'binary' || type === 'reference';
  const mutability = oneOf(definition.mutability ?? 'readWrite', mutabilities, path, 'mutability');
  // RFC 7643 §2.2: values of a writeOnly attribute are not returned by any request.
  const unreturned = mutability === 'writeOnly' ? 'never' : 'default';
  const returned = oneOf(definition.returned ?? unreturned, returneds, path, 'returned');
  if (mutability === 'writeOnly' && returned !== 'never') {
    throw ScimError.invalidValue(`${path}: a writeOnly attribute is never returned.`);
  }
  return {
    name,
    type,
    multiValued: definition.multiValued === true,
    description: definition.description ?? '',
    required: definition.required === true,
    // RFC 7643 §2.3.6 and §2.3.7: binary and reference values are case exact.
    caseExact: definition.caseExact ?? exactType,
    mutability,
    returned,
    restricted: definition.restricted === true,
    uniqueness: oneOf(definition.uniqueness ?? 'none', uniquenesses, path, 'uniqueness'),
    maxLength: definition.maxLength ?? (type === 'binary' ? binaryMaxLength : defaultMaxLength),
    ...(definition.canonicalValues === undefined ? {} : { canonicalValues: [...definition.canonicalValues] }),
    ...(definition.referenceTypes === undefined ? {} : { referenceTypes: [...definition.referenceTypes] }),
    ...(definition.namesUser === true ? { namesUser: true } : {}),
    ...(definition.isUserName === true ? { isUserName: true } : {}),
    ...(definition.shown === undefined ? {} : { shown: definition.shown }),
    ...(subAttributes === undefined ? {} : { subAttributes }),
  };
}

/** Inherited property names would be found in every resource; `not` starts a negation in filters. */
function isReserved(name: string): boolean {
  const key = name.toLowerCase();
  if (key === 'not' || key === 'prototype') return true;
  return Object.getOwnPropertyNames(Object.prototype).some((inherited) => inherited.toLowerCase() === key);
}

function oneOf<T extends string>(
  value: T,
  allowed: ReadonlySet<string>,
  path: string,
  characteristic: string,
): T {
  if (!allowed.has(value)) throw ScimError.invalidValue(`${path}: unknown ${characteristic}.`);
  return value;
}

const subAttributesByName = new WeakMap<Attribute, ReadonlyMap<string, Attribute>>();

/** The sub-attribute of that name in any case (RFC 7643 §2.1: names are case-insensitive). */
export function findSubAttribute(attribute: Attribute, name: string): Attribute | undefined {
  let byName = subAttributesByName.get(attribute);
  if (byName === undefined) {
    // Under both spellings, because large member lists use the canonical one.
    const entries = (attribute.subAttributes ?? []).flatMap((sub): [string, Attribute][] => [
      [sub.name, sub],
      [sub.name.toLowerCase(), sub],
    ]);
    byName = new Map(entries);
    subAttributesByName.set(attribute, byName);
  }
  return byName.get(name) ?? byName.get(name.toLowerCase());
}

/**
 * Reports whether values of the attribute are stored but never disclosed: not returned, compared, or
 * published.
 */
export function isSecret(attribute: Attribute): boolean {
  return attribute.returned === 'never';
}

/** True for the types whose values are compared as text: string, reference and binary. */
export function isText(attribute: Attribute): boolean {
  return attribute.type === 'string' || attribute.type === 'reference' || attribute.type === 'binary';
}

/**
 * Returns a text of this attribute in its form for comparison: texts are equal exactly if these are (RFC 7643
 * §2.2 caseExact, RFC 7644 §7.8).
 */
export function comparisonForm(attribute: Attribute, text: string): string {
  if (attribute.isUserName === true) return userNameKey(text);
  return attribute.caseExact ? text : foldCase(text);
}
