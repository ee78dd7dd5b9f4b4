import { ScimError } from '../errors.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  ownValue,
  type Resource,
} from '../json.ts';
import type { BoundFilter } from '../matching/bind.ts';
import { assignedOnly } from '../resource/assigned.ts';
import { requireAttributes, schemasOf } from '../resource/validate.ts';
import { readSubAttributes, readValue } from '../resource/values.ts';
import type { SchemaRegistry } from '../schema/registry.ts';
import { type BoundOperation, bindOperations } from './bind.ts';
import { changeElements, withParts } from './elements.ts';
import type { PatchOperation } from './parse.ts';

/**
 * Maximum cost of the operations of one PATCH, in value comparisons: far more than clients send, and some
 * tenths of a second of CPU. A thousand operations with a filter on five hundred values fit.
 */
const maxEffort = 3_000_000;

export interface PatchResult {
  readonly resource: Resource;
  /** False if the resource is unchanged, so that its version stays (RFC 7644 §3.5.2.1). */
  readonly changed: boolean;
}

/**
 * Applies PATCH operations in order to a resource in normal form. Pure and atomic: the given resource stays as it
 * is, and after an error there is no result. readOnly attributes of the resource are carried over.
 * @throws ScimError invalidPath, invalidFilter, invalidValue, noTarget, mutability (RFC 7644 §3.5.2); 413 for operations
 *   that together would be too much work: each looks at all values of its attribute.
 */
export function applyPatch(
  resource: Resource,
  operations: readonly PatchOperation[],
  registry: SchemaRegistry,
  type: string,
): PatchResult {
  let patched = resource;
  let effort = 0;
  for (const operation of bindOperations(operations, registry, type)) {
    effort += effortOf(patched, operation);
    if (effort > maxEffort) {
      throw ScimError.payloadTooLarge(
        'The operations are too expensive for one PATCH. Send them in several requests.',
      );
    }
    patched = applyOperation(patched, operation);
  }
  // Last, because one operation may create an element, and a later one set its value.
  patched = assignedOnly(patched, registry, type);
  requireAttributes(patched, registry, type);
  patched = { ...patched, schemas: schemasOf(patched, registry, type) };
  return jsonEqual(resource, patched) ? { resource, changed: false } : { resource: patched, changed: true };
}

/**
 * Each value of a multi-valued attribute is compared with the filter, copied, and compared with the others.
 */
function effortOf(resource: Resource, { target, filter, value }: BoundOperation): number {
  if (!target.attribute.multiValued) return 1;
  const stored = target.extension === undefined ? resource : ownValue(resource, target.extension);
  const current = isJsonObject(stored) ? ownValue(stored, target.attribute.name) : undefined;
  return (1 + lengthOf(current) + lengthOf(value)) * (4 + (filter === undefined ? 0 : sizeOf(filter)));
}

const lengthOf = (value: JsonValue | undefined): number => (Array.isArray(value) ? value.length : 0);

function sizeOf(filter: BoundFilter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.reduce((size, operand) => size + sizeOf(operand), 1);
    case 'not':
      return 1 + sizeOf(filter.operand);
    case 'element':
      return 1 + sizeOf(filter.filter);
    default:
      return 1;
  }
}

function applyOperation(resource: Resource, operation: BoundOperation): Resource {
  const { extension, attribute } = operation.target;
  if (extension === undefined) {
    return assign(resource, attribute.name, changeAttribute(ownValue(resource, attribute.name), operation));
  }
  const stored = ownValue(resource, extension);
  const owner = isJsonObject(stored) ? stored : {};
  const changed = assign(owner, attribute.name, changeAttribute(ownValue(owner, attribute.name), operation));
  return assign(resource, extension, Object.keys(changed).length === 0 ? undefined : changed);
}

/** A copy of the object with the member set, or without it. */
function assign(object: JsonObject, key: string, value: JsonValue | undefined): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  if (!Object.hasOwn(object, key)) return object;
  const { [key]: _removed, ...rest } = object;
  return rest;
}

function changeAttribute(current: JsonValue | undefined, operation: BoundOperation): JsonValue | undefined {
  const { attribute, canonical } = operation.target;
  const changed = attribute.multiValued
    ? changeElements(Array.isArray(current) ? current : [], operation)?.slice()
    : changeSingle(current, operation);
  if (attribute.mutability === 'immutable' && current !== undefined && !jsonEqual(current, changed)) {
    throw ScimError.mutability(`${canonical} is immutable.`);
  }
  return changed;
}

function changeSingle(current: JsonValue | undefined, operation: BoundOperation): JsonValue | undefined {
  const { op, target } = operation;
  const { attribute, subAttribute, canonical } = target;
  const value = operation.value ?? null;
  if (op === 'add' && value === null) return current;
  const owner = isJsonObject(current) ? current : {};
  if (subAttribute !== undefined) {
    const part = op === 'remove' ? undefined : readValue(subAttribute, value, canonical);
    return withParts(attribute, owner, new Map([[subAttribute.name, part]]));
  }
  if (op === 'remove' || value === null) return removedWhole(operation, owner);
  if (attribute.type !== 'complex') return readValue(attribute, value, canonical);
  // RFC 7644 §3.5.2.3: unnamed parts are unchanged.
  return withParts(attribute, owner, readSubAttributes(attribute, value, canonical));
}

/**
 * Rejects the removal of a single complex value with immutable parts, which must stay. @throws ScimError
 * mutability
 */
function removedWhole({ target: { attribute, canonical } }: BoundOperation, owner: JsonObject): undefined {
  const kept = attribute.subAttributes?.find(
    (sub) => (sub.mutability === 'immutable' || sub.withheld) && ownValue(owner, sub.name) !== undefined,
  );
  if (kept) {
    throw ScimError.mutability(
      `${canonical}.${kept.name} is ${kept.withheld ? 'not writable by this client' : 'immutable'}.`,
    );
  }
  return undefined;
}
