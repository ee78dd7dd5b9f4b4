import { ScimError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual, ownValue } from '../json.ts';
import type { BoundFilter } from '../matching/bind.ts';
import { evaluate } from '../matching/evaluate.ts';
import {
  composeSubAttributes,
  isPrimaryElement,
  readElement,
  readElements,
  readSubAttributes,
  readValue,
  requireSubAttributes,
} from '../resource/values.ts';
import { type Attribute, comparisonForm } from '../schema/attribute.ts';
import type { BoundOperation } from './bind.ts';

/** Returns the changed values of a multi-valued attribute; undefined if none is left. */
export function changeElements(
  current: readonly JsonValue[],
  operation: BoundOperation,
): readonly JsonValue[] | undefined {
  const { op, target, filter, value } = operation;
  if (filter !== undefined || target.subAttribute !== undefined)
    return settled(changeSelected(current, operation));
  if (op === 'remove') return undefined;
  if (value === undefined || value === null) return op === 'add' ? settled(current) : undefined;
  const incoming = readElements(target.attribute, Array.isArray(value) ? value : [value], target.canonical);
  if (op === 'replace') return incoming;
  return settled(addElements(target.attribute, current, incoming ?? []));
}

/** Adds missing values (RFC 7644 §3.5.2.1); an existing value gets the parts of the new one. */
function addElements(
  attribute: Attribute,
  current: readonly JsonValue[],
  incoming: readonly JsonValue[],
): readonly JsonValue[] {
  const elements = [...current];
  const places = new Map<string, number[]>();
  elements.forEach((element, index) => {
    remember(places, identity(attribute, element), index);
  });
  const touched = new Set<number>();
  for (const element of incoming) {
    const key = identity(attribute, element);
    const index = places.get(key)?.find((place) => sameType(elements[place], element));
    if (index === undefined) {
      touched.add(elements.length);
      remember(places, key, elements.length);
      elements.push(element);
      continue;
    }
    const existing = elements[index];
    if (isJsonObject(existing) && isJsonObject(element)) {
      elements[index] = merged(attribute, existing, element) ?? existing;
    }
    if (isPrimaryElement(element)) touched.add(index);
  }
  return demoted(elements, touched, attribute.name);
}

function remember(places: Map<string, number[]>, key: string, index: number): void {
  const known = places.get(key);
  if (known === undefined) places.set(key, [index]);
  else known.push(index);
}

/** Returns the identity of a value: `value` by its case rule, or all parts if there is no `value`. */
function identity(attribute: Attribute, element: JsonValue): string {
  if (!isJsonObject(element)) return comparable(attribute, element);
  const value = ownValue(element, 'value');
  const definition = attribute.subAttributes?.find((sub) => sub.name === 'value');
  return value === undefined || definition === undefined
    ? JSON.stringify(element)
    : comparable(definition, value);
}

function comparable(definition: Attribute, value: JsonValue): string {
  return typeof value === 'string' && !definition.caseExact
    ? comparisonForm(definition, value)
    : JSON.stringify(value);
}

/** A value sent without `type` means the existing one of any type. */
function sameType(existing: JsonValue | undefined, incoming: JsonValue): boolean {
  if (!isJsonObject(existing) || !isJsonObject(incoming)) return true;
  const type = ownValue(incoming, 'type');
  return type === undefined || jsonEqual(type, ownValue(existing, 'type'));
}

/** A path with a value filter or a sub-attribute: `emails[type eq "work"]`, `….value`, `emails.display`. */
function changeSelected(current: readonly JsonValue[], operation: BoundOperation): readonly JsonValue[] {
  const { op, target, filter } = operation;
  const selected = new Set<number>();
  current.forEach((element, index) => {
    if (filter === undefined || evaluate(filter, element)) selected.add(index);
  });
  if (selected.size === 0) {
    if (op === 'remove') return current;
    if (op === 'add' && filter !== undefined) return addDescribed(current, operation, filter);
    throw ScimError.noTarget(`The path selects no value of ${target.attribute.name}.`);
  }
  if (op === 'remove' && target.subAttribute === undefined) {
    return current.filter((_, index) => !selected.has(index));
  }
  const elements = current.map((element, index) =>
    selected.has(index) ? changeElement(element, operation) : element,
  );
  const changed = demoted(elements, selected, target.canonical);
  return changed.filter((element) => element !== undefined);
}

/** Returns one selected element after the operation; undefined if nothing is left. */
function changeElement(element: JsonValue, operation: BoundOperation): JsonValue | undefined {
  const { op, target } = operation;
  const { attribute, subAttribute } = target;
  const value = operation.value ?? null;
  if (subAttribute === undefined) {
    if (value === null) return op === 'add' ? element : undefined;
    if (op === 'replace' || !isJsonObject(element)) {
      const replacement = readElement(attribute, value, target.canonical);
      keepImmutable(attribute, element, replacement);
      return replacement;
    }
    return merged(attribute, element, value);
  }
  if (!isJsonObject(element) || (op === 'add' && value === null)) return element;
  const part = op === 'remove' ? undefined : readValue(subAttribute, value, target.canonical);
  return withParts(attribute, element, new Map([[subAttribute.name, part]]));
}

/** Returns an element with the parts of another value applied. */
function merged(attribute: Attribute, element: JsonObject, value: JsonValue): JsonValue | undefined {
  return withParts(attribute, element, readSubAttributes(attribute, value, attribute.name));
}

/**
 * Returns a complex value with some parts replaced (undefined: unassigned); undefined if none is left.
 * @throws ScimError mutability if an immutable part would change.
 */
export function withParts(
  attribute: Attribute,
  current: JsonObject,
  parts: ReadonlyMap<string, JsonValue | undefined>,
): JsonObject | undefined {
  const part = (name: string): JsonValue | undefined =>
    parts.has(name) ? parts.get(name) : ownValue(current, name);
  const changed = composeSubAttributes(attribute, part);
  keepImmutable(attribute, current, changed);
  if (changed !== undefined) requireSubAttributes(attribute, part, attribute.name);
  return changed;
}

function keepImmutable(attribute: Attribute, before: JsonValue, after: JsonValue | undefined): void {
  if (!isJsonObject(before)) return;
  for (const sub of attribute.subAttributes ?? []) {
    if (sub.mutability !== 'immutable') continue;
    const had = ownValue(before, sub.name);
    const has = isJsonObject(after) ? ownValue(after, sub.name) : undefined;
    if (had !== undefined && !jsonEqual(had, has)) {
      throw ScimError.mutability(`${attribute.name}.${sub.name} is immutable.`);
    }
  }
}

/**
 * `add` without a matching element: "if the target location does not exist, the attribute and value are
 * added" (RFC 7644 §3.5.2.1), if the filter describes the element.
 */
function addDescribed(
  current: readonly JsonValue[],
  operation: BoundOperation,
  filter: BoundFilter,
): readonly JsonValue[] {
  const { target } = operation;
  const { attribute, subAttribute } = target;
  const described = describedElement(filter);
  const value = operation.value ?? null;
  if (described === undefined || attribute.type !== 'complex') {
    throw ScimError.noTarget(`The path selects no value of ${attribute.name}.`);
  }
  if (value === null) return current;
  const parts = subAttribute === undefined ? value : { [subAttribute.name]: value };
  if (!isJsonObject(parts)) throw ScimError.invalidValue(`${target.canonical} must be an object.`);
  const element = readElement(attribute, { ...described, ...parts }, target.canonical);
  if (element === undefined) return current;
  return demoted([...current, element], new Set([current.length]), attribute.name);
}

/** Returns the parts that a conjunction of `eq` requires; undefined for any other filter. */
function describedElement(filter: BoundFilter): JsonObject | undefined {
  const described: JsonObject = {};
  for (const comparison of filter.kind === 'and' ? filter.operands : [filter]) {
    if (comparison.kind !== 'compare' || comparison.operator !== 'eq') return undefined;
    const { name } = comparison.target.definition;
    if (Object.hasOwn(described, name) && described[name] !== comparison.literal) return undefined;
    described[name] = comparison.literal;
  }
  return described;
}

/** RFC 7644 §3.5.2: making an element primary makes the previous one not primary. */
function demoted<T extends JsonValue | undefined>(
  elements: readonly T[],
  touched: ReadonlySet<number>,
  at: string,
): readonly (T | JsonObject)[] {
  const primaries = elements.flatMap((element, index) =>
    element !== undefined && isPrimaryElement(element) ? [index] : [],
  );
  const made = primaries.filter((index) => touched.has(index));
  if (made.length > 1) throw ScimError.invalidValue(`${at} would have more than one primary value.`);
  const [primary] = made;
  if (primary === undefined || primaries.length === 1) return elements;
  return elements.map((element, index) => {
    const value: JsonValue | undefined = element;
    const demotes = index !== primary && isJsonObject(value) && value.primary === true;
    return demotes ? { ...value, primary: false } : element;
  });
}

/**
 * Returns the elements without those that the operation made equal to others; undefined if there are none.
 */
function settled(elements: readonly JsonValue[]): readonly JsonValue[] | undefined {
  // Parts are in schema order, so equal elements have the same text.
  const distinct = new Map(elements.map((element) => [JSON.stringify(element), element]));
  if (distinct.size === 0) return undefined;
  return distinct.size === elements.length ? elements : [...distinct.values()];
}
