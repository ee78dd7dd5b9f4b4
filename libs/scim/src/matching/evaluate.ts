import type { ComparisonOperator } from '../filter/ast.ts';
import { isJsonObject, type JsonValue, ownValue } from '../json.ts';
import { type Attribute, comparisonForm } from '../schema/attribute.ts';
import type { AttributeReference } from '../schema/registry.ts';
import { canonicalDateTime, compareCodePoints } from '../text.ts';
import type { BoundComparison, BoundFilter } from './bind.ts';

/**
 * Whether the resource (or, for a filter from `bindElementFilter`, the element) matches.
 *
 * - A multi-valued attribute matches when any of its values does; in a valuePath one element has to match
 *   the whole filter.
 * - `ne` is "has a value other than this, or no value": an attribute without a value differs from
 *   every value. All other operators need a value.
 * - An element without `primary` counts as `primary: false` (RFC 7643 §2.4).
 */
export function evaluate(filter: BoundFilter, resource: JsonValue): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.operands.every((operand) => evaluate(operand, resource));
    case 'or':
      return filter.operands.some((operand) => evaluate(operand, resource));
    case 'not':
      return !evaluate(filter.operand, resource);
    case 'present':
      return valuesOf(filter.target, resource).some(isPresent);
    case 'element':
      return elementsOf(filter.target, resource).some((element) => evaluate(filter.filter, element));
    case 'compare':
      return compareAny(filter, resource);
    case 'never':
      return false;
  }
}

function compareAny(filter: BoundComparison, resource: JsonValue): boolean {
  const values = valuesOf(filter.target, resource);
  if (values.length === 0) return filter.operator === 'ne';
  return values.some((value) => compare(value, filter));
}

/** `primary` of an element, which is false when it isn't there. */
export function isPrimary(definition: Attribute): boolean {
  return definition.name === 'primary' && definition.type === 'boolean';
}

function compare(value: JsonValue | undefined, filter: BoundComparison): boolean {
  const { operator, target } = filter;
  const actual = comparable(value, target.definition);
  if (actual === undefined) return operator === 'ne';
  const expected = filter.value;
  if (typeof actual === 'string' && typeof expected === 'string')
    return compareStrings(actual, operator, expected);
  if (typeof actual === 'number' && typeof expected === 'number') return ordered(actual - expected, operator);
  return operator === 'ne' ? actual !== expected : actual === expected;
}

/** Returns the value for comparison; undefined if it is missing or has another type. */
function comparable(
  value: JsonValue | undefined,
  definition: Attribute,
): string | number | boolean | undefined {
  switch (definition.type) {
    case 'boolean':
      if (value === undefined && isPrimary(definition)) return false;
      return typeof value === 'boolean' ? value : undefined;
    case 'decimal':
    case 'integer':
      return typeof value === 'number' ? value : undefined;
    case 'dateTime':
      return typeof value === 'string' ? canonicalDateTime(value) : undefined;
    default:
      if (typeof value !== 'string') return undefined;
      return comparisonForm(definition, value);
  }
}

function compareStrings(actual: string, operator: ComparisonOperator, expected: string): boolean {
  switch (operator) {
    case 'co':
      return actual.includes(expected);
    case 'sw':
      return actual.startsWith(expected);
    case 'ew':
      return actual.endsWith(expected);
    default:
      return ordered(compareCodePoints(actual, expected), operator);
  }
}

function ordered(difference: number, operator: ComparisonOperator): boolean {
  switch (operator) {
    case 'eq':
      return difference === 0;
    case 'ne':
      return difference !== 0;
    case 'gt':
      return difference > 0;
    case 'ge':
      return difference >= 0;
    case 'lt':
      return difference < 0;
    case 'le':
      return difference <= 0;
    default:
      return false;
  }
}

/** Returns the values of a reference: one per element of a multi-valued attribute, else one. */
function valuesOf(target: AttributeReference, resource: JsonValue): readonly (JsonValue | undefined)[] {
  if (!target.attribute.multiValued) return [target.keys.reduce(step, resource)];
  const elements = elementsOf(target, resource);
  const { subAttribute } = target;
  return subAttribute === undefined ? elements : elements.map((element) => step(element, subAttribute.name));
}

function elementsOf(target: AttributeReference, resource: JsonValue): readonly JsonValue[] {
  const keys = target.subAttribute === undefined ? target.keys : target.keys.slice(0, -1);
  const value = keys.reduce(step, resource as JsonValue | undefined);
  return Array.isArray(value) ? value : [];
}

function step(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? ownValue(value, key) : undefined;
}

/** RFC 7644 §3.4.2.2 `pr`: a non-empty value, or a complex one with a non-empty part. */
function isPresent(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (Array.isArray(value)) return value.some(isPresent);
  return isJsonObject(value) ? Object.values(value).some(isPresent) : true;
}
