import { quote, ScimError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { type Attribute, findSubAttribute } from '../schema/attribute.ts';
import { canonicalDateTime, foldCase, isStorable } from '../text.ts';
import { hasValue, isBlank, isMissing } from './assigned.ts';
import { canonicalReference, referencedTypes } from './references.ts';

/**
 * Parses a client's value of an attribute into its normal form; undefined if it leaves the attribute
 * unassigned (null, an empty array, a complex value without parts: RFC 7643 §2.5; a blank text). Unknown and
 * readOnly sub-attributes are omitted, names get their canonical spelling, dateTimes become UTC.
 * @param at the path for the error's detail.
 * @throws ScimError invalidValue, or invalidSyntax for a name that occurs twice
 */
export function readValue(attribute: Attribute, value: JsonValue, at: string): JsonValue | undefined {
  if (value === null) return undefined;
  if (!attribute.multiValued) return readElement(attribute, value, at);
  if (!Array.isArray(value)) throw ScimError.invalidValue(`${at} must be an array.`);
  return readElements(attribute, value, at);
}

/**
 * Reads the values of a multi-valued attribute: no duplicates, none without a value, at most one primary; undefined when none is left.
 */
export function readElements(
  attribute: Attribute,
  values: readonly JsonValue[],
  at: string,
): JsonValue[] | undefined {
  const seen = new Set<string>();
  const elements: JsonValue[] = [];
  for (const value of values) {
    const element = value === null ? undefined : readElement(attribute, value, at);
    if (element === undefined || !hasValue(attribute, element)) continue;
    // Elements are in schema order here, so equal ones have the same text.
    const text = JSON.stringify(element);
    if (seen.has(text)) continue;
    seen.add(text);
    elements.push(element);
  }
  if (elements.filter(isPrimaryElement).length > 1) {
    throw ScimError.invalidValue(`${at} has more than one primary value.`);
  }
  return elements.length === 0 ? undefined : elements;
}

/** Reports whether an element is marked as primary. */
export function isPrimaryElement(element: JsonValue): boolean {
  return isJsonObject(element) && element.primary === true;
}

/** Reads a single value: of a singular attribute, or one element. */
export function readElement(attribute: Attribute, value: JsonValue, at: string): JsonValue | undefined {
  if (isBlank(attribute, value)) return undefined;
  if (attribute.type !== 'complex') return readSimple(attribute, value, at);
  const parts = readSubAttributes(attribute, value, at);
  requireSubAttributes(attribute, (name) => parts.get(name), at);
  return composeSubAttributes(attribute, (name) => parts.get(name));
}

/**
 * Parses the sub-attributes of a complex value; an explicit null gives undefined as the map's value. Required
 * ones may be missing, as in a partial update.
 */
export function readSubAttributes(
  attribute: Attribute,
  value: JsonValue,
  at: string,
): ReadonlyMap<string, JsonValue | undefined> {
  if (!isJsonObject(value)) throw ScimError.invalidValue(`${at} must be an object.`);
  const parts = new Map<string, JsonValue | undefined>();
  const seen = new Set<string>();
  for (const [key, part] of Object.entries(value)) {
    const sub = findSubAttribute(attribute, key);
    if (sub === undefined) continue;
    if (seen.has(sub.name)) throw ScimError.invalidSyntax(`${at}.${sub.name} is given twice.`);
    seen.add(sub.name);
    if (sub.mutability === 'readOnly') continue;
    parts.set(sub.name, readValue(sub, part, `${at}.${sub.name}`));
  }
  return parts;
}

/** Builds a complex value in schema order; undefined when no part has a value. */
export function composeSubAttributes(
  attribute: Attribute,
  part: (name: string) => JsonValue | undefined,
): JsonObject | undefined {
  const composed: JsonObject = {};
  for (const sub of attribute.subAttributes ?? []) {
    const value = part(sub.name);
    if (value !== undefined) composed[sub.name] = value;
  }
  return Object.keys(composed).length === 0 ? undefined : composed;
}

/** @throws ScimError invalidValue when a complex value lacks a required part. */
export function requireSubAttributes(
  attribute: Attribute,
  part: (name: string) => JsonValue | undefined,
  at: string,
): void {
  for (const sub of attribute.subAttributes ?? []) {
    if (sub.required && sub.mutability !== 'readOnly' && isMissing(part(sub.name))) {
      throw ScimError.invalidValue(`${at}.${sub.name} is required.`);
    }
  }
}

function readSimple(attribute: Attribute, value: JsonValue, at: string): JsonValue {
  switch (attribute.type) {
    case 'boolean':
      if (typeof value === 'boolean') return value;
      break;
    case 'integer':
      if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
      break;
    case 'decimal':
      if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value;
      break;
    case 'dateTime': {
      const instant = typeof value === 'string' ? canonicalDateTime(value) : undefined;
      if (instant !== undefined) return instant;
      break;
    }
    default:
      if (typeof value === 'string') return readText(attribute, value, at);
  }
  throw ScimError.invalidValue(`${at} must be of type ${attribute.type}, not ${describe(value)}.`);
}

const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

function readText(attribute: Attribute, text: string, at: string): string {
  if (!isStorable(text)) throw ScimError.invalidValue(`${at} contains NUL or a lone surrogate.`);
  if (text.length > attribute.maxLength) {
    throw ScimError.invalidValue(`${at} is longer than ${attribute.maxLength} characters.`);
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (attribute.type === 'reference' && /[\s\u0000-\u001f\u007f]/.test(text)) {
    throw ScimError.invalidValue(`${at} must be a URI.`);
  }
  if (attribute.type === 'reference') return readReference(attribute, text, at);
  if (attribute.type === 'binary' && !isBase64(text)) throw ScimError.invalidValue(`${at} must be base64.`);
  return readCanonical(attribute, text, at);
}

/** Padding is optional, as in base64url; a single character of a last group encodes no byte. */
const isBase64 = (text: string): boolean => base64.test(text) && text.replace(/=+$/, '').length % 4 !== 1;

/** Userinfo in the authority of a web address (RFC 3986, section 3.2.1), which may contain a password. */
const credentials = /^https?:[/\\]*[^/?#\\]*@/i;

function readReference(attribute: Attribute, text: string, at: string): string {
  if (credentials.test(text)) throw ScimError.invalidValue(`${at} must not contain credentials.`);
  const types = referencedTypes(attribute);
  if (types.length === 0) return text;
  const resource = canonicalReference(attribute, text);
  if (resource !== undefined) return resource;
  if (types.length < (attribute.referenceTypes?.length ?? 0)) return text;
  throw ScimError.invalidValue(`${at} must be the address of a ${types.join(' or ')}.`);
}

function readCanonical(attribute: Attribute, text: string, at: string): string {
  const { canonicalValues, caseExact, restricted } = attribute;
  if (canonicalValues === undefined) return text;
  const folded = foldCase(text);
  const known = caseExact
    ? canonicalValues.find((canonical) => canonical === text)
    : canonicalValues.find((canonical) => foldCase(canonical) === folded);
  if (known !== undefined) return known;
  if (restricted) throw ScimError.invalidValue(`${at} must be one of its canonical values.`);
  return text;
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) return 'an array';
  if (isJsonObject(value)) return 'an object';
  return typeof value === 'string' ? quote(value) : String(value);
}
