import { ScimError } from '../errors.ts';
import { isStorable } from '../text.ts';
import {
  type Attribute,
  type AttributeDefinition,
  defineSchema,
  type Schema,
  type SchemaDefinition,
} from './attribute.ts';
import { indexedLength } from './common.ts';

/** Limits of the schemas of a tenant. */
export const tenantSchemaLimits = {
  schemas: 20,
  attributes: 100,
  subAttributes: 50,
  canonicalValues: 200,
  canonicalValueLength: 200,
  nameLength: 100,
  descriptionLength: 1000,
} as const;

/**
 * Tenants may not redefine the RFCs' schemas; their extension namespace is permitted, as in other
 * directories.
 */
const reserved = /^urn:ietf:params:scim:(?!schemas:extension:[^:])/i;

/**
 * Completes and validates an extension schema of a tenant, more strictly than the RFC's own, because
 * compatibility with existing data is not needed. Canonical values are the only permitted ones, unless
 * `restricted: false`.
 * @throws ScimError invalidValue with the mistake
 */
export function defineTenantSchema(definition: SchemaDefinition): Schema {
  const { id, name, description = '', attributes } = definition;
  if (typeof id === 'string' && reserved.test(id)) {
    throw ScimError.invalidValue('This URN belongs to the SCIM specifications: choose one of your own.');
  }
  requireText(name, tenantSchemaLimits.nameLength, 'The name of a schema');
  requireText(description, tenantSchemaLimits.descriptionLength, 'The description of a schema', true);
  if (Array.isArray(attributes) && attributes.length > tenantSchemaLimits.attributes) {
    throw ScimError.invalidValue(`A schema has at most ${tenantSchemaLimits.attributes} attributes.`);
  }
  const schema = defineSchema({ ...definition, attributes: (attributes ?? []).map(complete) });
  for (const attribute of schema.attributes) checkAttribute(attribute, `${schema.id}:${attribute.name}`);
  return schema;
}

/** Adds characteristics that a tenant omits or may not choose. */
function complete(definition: AttributeDefinition): AttributeDefinition {
  const { namesUser: _, isUserName: __, shown: ___, maxLength: ____, subAttributes, ...rest } = definition;
  const unique = definition.uniqueness !== undefined && definition.uniqueness !== 'none';
  return {
    ...rest,
    restricted: definition.restricted ?? definition.canonicalValues !== undefined,
    ...(unique ? { maxLength: indexedLength } : {}),
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(complete) }),
  };
}

function checkAttribute(attribute: Attribute, at: string, parent?: Attribute): void {
  const { type, subAttributes = [] } = attribute;
  const refuse = (why: string): never => {
    throw ScimError.invalidValue(`${at}: ${why}`);
  };
  requireText(attribute.description, tenantSchemaLimits.descriptionLength, `${at}: the description`, true);
  if (subAttributes.length > tenantSchemaLimits.subAttributes) {
    refuse(`at most ${tenantSchemaLimits.subAttributes} sub-attributes.`);
  }
  if (attribute.required && attribute.mutability === 'readOnly')
    refuse('a client cannot be required to set it.');
  if (attribute.name === '$ref') refuse('$ref is set by the server.');
  if (type === 'complex' && attribute.uniqueness !== 'none')
    refuse('uniqueness belongs to its sub-attributes.');
  if (type === 'boolean' && attribute.uniqueness !== 'none') refuse('a boolean cannot be unique.');
  if (type === 'complex' && attribute.caseExact) refuse('caseExact belongs to its sub-attributes.');
  if ((type === 'reference' || type === 'binary') && !attribute.caseExact) {
    refuse(`type ${type} is always caseExact.`);
  }
  checkCanonicalValues(attribute, refuse);
  checkReferenceTypes(attribute, refuse);
  // Clients set and remove a complex value as a whole, so a part cannot be protected.
  if (parent !== undefined && parent.mutability !== 'readOnly' && attribute.mutability === 'readOnly') {
    refuse('a readOnly sub-attribute belongs to a readOnly attribute.');
  }
  for (const sub of subAttributes) checkAttribute(sub, `${at}.${sub.name}`, attribute);
}

function checkCanonicalValues(attribute: Attribute, refuse: (why: string) => never): void {
  const { canonicalValues, type, caseExact } = attribute;
  if (canonicalValues === undefined) return;
  if (type !== 'string') refuse('canonical values belong to type string.');
  const { canonicalValues: most, canonicalValueLength: longest } = tenantSchemaLimits;
  if (canonicalValues.length === 0 || canonicalValues.length > most) refuse(`1 to ${most} canonical values.`);
  const seen = new Set<string>();
  for (const value of canonicalValues) {
    if (typeof value !== 'string' || value === '' || value.length > longest || !isStorable(value)) {
      refuse(`a canonical value has 1 to ${longest} characters.`);
    }
    const key = caseExact ? value : value.toLowerCase();
    if (seen.has(key)) refuse('a canonical value is repeated.');
    seen.add(key);
  }
}

const linkTypes: readonly string[] = ['User', 'Group', 'external', 'uri'];

function checkReferenceTypes(attribute: Attribute, refuse: (why: string) => never): void {
  const { referenceTypes, type } = attribute;
  if ((type === 'reference') !== (referenceTypes !== undefined)) {
    refuse('reference types belong to type reference, and only to it.');
  }
  if (referenceTypes === undefined) return;
  const distinct = new Set(referenceTypes).size === referenceTypes.length;
  if (referenceTypes.length === 0 || !distinct || !referenceTypes.every((name) => linkTypes.includes(name))) {
    refuse(`reference types must be among ${linkTypes.join(', ')}.`);
  }
}

function requireText(text: unknown, longest: number, what: string, empty = false): void {
  const fits = typeof text === 'string' && text.length <= longest && isStorable(text);
  if (!fits || (text === '' && !empty)) {
    throw ScimError.invalidValue(`${what} has ${empty ? 0 : 1} to ${longest} characters.`);
  }
}
